import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const ffmpegPath = process.env["FFMPEG_PATH"] ?? "ffmpeg";

/** Folder for each system user, because other users couldn't write to it. */
const root = join(tmpdir(), `kinora-clips-${process.getuid?.() ?? 0}`);
const pending = new Map<string, Promise<string>>();
/** Folders that no run has used for this long are removed. */
const retentionMs = 7 * 24 * 3_600_000;
let cleanUp: Promise<void> | undefined;

/**
 * Returns a folder that `fill` writes once for a recipe. All test files, all projects and later
 * runs share it, so tests must only read it. Parallel workers may both fill it. The first one wins.
 */
export function cacheFolder(
  recipe: unknown,
  fill: (folder: string) => Promise<void>,
): Promise<string> {
  const key = createHash("sha256")
    .update(JSON.stringify([ffmpegPath, recipe]))
    .digest("hex");
  const folder = join(root, key.slice(0, 24));
  const started = pending.get(folder) ?? fillOnce(folder, fill);
  pending.set(folder, started);
  return started;
}

async function fillOnce(folder: string, fill: (folder: string) => Promise<void>): Promise<string> {
  if (existsSync(folder)) {
    const now = new Date();
    await utimes(folder, now, now);
    return folder;
  }
  cleanUp ??= removeUnused();
  await cleanUp;
  const work = `${folder}.${randomUUID()}`;
  await mkdir(work, { recursive: true });
  try {
    await fill(work);
    await rename(work, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return folder;
}

async function removeUnused(): Promise<void> {
  for (const name of await readdir(root).catch(() => [])) {
    const path = join(root, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (mtimeMs < Date.now() - retentionMs) await rm(path, { recursive: true, force: true });
  }
}

/** Runs ffmpeg in a folder. Rejects with its error output. */
export async function runFfmpeg(args: readonly string[], cwd: string): Promise<void> {
  await run(ffmpegPath, ["-nostdin", "-v", "error", "-y", ...args], { cwd });
}

/** Returns a cached file that ffmpeg writes. The extension of its name determines the container. */
export async function encodeClip(name: string, args: readonly string[]): Promise<string> {
  const folder = await cacheFolder(["clip", name, args], (work) =>
    runFfmpeg([...args, join(work, name)], work),
  );
  return join(folder, name);
}

/** Returns a cached file with the given bytes. */
export async function keepBytes(name: string, bytes: Uint8Array | string): Promise<string> {
  const hash = createHash("sha256").update(bytes).digest("hex");
  const folder = await cacheFolder(["bytes", name, hash], (work) =>
    writeFile(join(work, name), bytes),
  );
  return join(folder, name);
}

/** Returns whether this ffmpeg has an encoder. Some builds lack HEVC or AV1. */
export async function hasEncoder(name: string): Promise<boolean> {
  const { stdout } = await run(ffmpegPath, ["-v", "error", "-h", `encoder=${name}`]);
  return stdout.startsWith("Encoder ");
}
