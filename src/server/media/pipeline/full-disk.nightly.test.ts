import { execFileSync } from "node:child_process";
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { encodeClip } from "#test/clip-cache.ts";
import { aac, h264, tone } from "#test/sample-videos.ts";
import { createTestMedia, type TestMedia } from "../media.fixture.ts";
import { findRangeProblem } from "../plan/playlist-ranges.ts";
import type { PipelineContext } from "./pipeline-context.ts";
import { expectCompleteRun, runProcess } from "./process-run.fixture.ts";

const mebibyte = 2 ** 20;
const sizeBytes = 24 * mebibyte;

let at: TestMedia;
let source: string;
let disk: string | null = null;
beforeAll(async () => {
  at = await createTestMedia();
  source = await encodeClip("noise-2.mp4", [
    ...["-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=2,noise=alls=12:allf=t"],
    ...tone(2),
    ...h264,
    ...aac,
  ]);
  disk = await mountDisk(path.join(at.folder, "disk"));
});
afterAll(async () => {
  if (disk !== null) execFileSync("umount", ["-l", disk]);
  await at.remove();
});

/** Mounts a small disk; null if this user may not mount one. */
async function mountDisk(folder: string): Promise<string | null> {
  await mkdir(folder);
  try {
    const options = ["-t", "tmpfs", "-o", `size=${sizeBytes}`, "none", folder];
    execFileSync("mount", options, { stdio: "ignore" });
    return folder;
  } catch {
    return null;
  }
}

/** Runs the real tools on a disk that has only `freeBytes` left during one job. */
function fillingDisk(folder: string, name: string, freeBytes: number): PipelineContext {
  const { pipeline } = at.media;
  const { tools } = pipeline;
  const ballast = path.join(folder, "ballast");
  return {
    ...pipeline,
    tools: {
      ...tools,
      async ffmpeg(job) {
        if (job.name !== name) return tools.ffmpeg(job);
        const used = execFileSync("du", ["-s", "-B1", folder], { encoding: "utf8" });
        const bytes = sizeBytes - Number(used.split("\t")[0]) - freeBytes;
        await writeFile(ballast, Buffer.alloc(Math.max(0, bytes)));
        try {
          return await tools.ffmpeg(job);
        } finally {
          await rm(ballast);
        }
      },
    },
  };
}

const shares = [0.02, 0.3, 0.6, 0.9];

test("discards a ladder from a full disk, and completes on the next attempt", async (context) => {
  if (disk === null) return context.skip("only root can mount a small disk");
  const folder = disk;
  const workDir = path.join(folder, "work");
  const whole = await runProcess(at, source, { workDir });
  const media = whole.all("hls_media");
  const ladderBytes = media.reduce((sum, each) => sum + each.sizeBytes, 0);
  await rm(workDir, { recursive: true });
  for (const share of shares) {
    const stored: string[] = [];
    const run = runProcess(
      at,
      source,
      {
        workDir,
        done: new Set(["playable", "captions", "pictures"] as const),
        ladderCrf: 23,
        hooks: {
          onLoudness: async () => undefined,
          onQuality: async () => undefined,
          onPlayable: async () => undefined,
          onCaptions: async () => undefined,
          onPictures: async () => undefined,
          onLadder: async () => void stored.push("ladder"),
          onExtras: async () => void stored.push("extras"),
        },
      },
      fillingDisk(folder, "ladder", Math.round(ladderBytes * share)),
    );
    const error: unknown = await run.then(
      ({ result }) => result,
      (reason: unknown) => reason,
    );
    expect(stored).toEqual([]);
    expect(error).toMatchObject({ code: expect.stringMatching(/^(storage_full|unavailable)$/) });
    await rm(workDir, { recursive: true, force: true });
  }
  const again = await runProcess(at, source, { workDir });
  await expectCompleteRun(at, again);
  for (const playlist of again.all("hls_playlist")) {
    const text = await readFile(playlist.path, "utf8");
    const sizes = new Map<string, number>();
    for (const { path: file } of again.all("hls_media")) {
      sizes.set(path.basename(file), (await stat(file)).size);
    }
    expect(findRangeProblem(text, (uri) => sizes.get(uri) ?? null)).toBeNull();
  }
});

test("starts no step on a full disk", async (context) => {
  if (disk === null) return context.skip("only root can mount a small disk");
  const ballast = path.join(disk, "ballast");
  const workDir = path.join(disk, "work");
  await rm(workDir, { recursive: true, force: true });
  await writeFile(ballast, Buffer.alloc(sizeBytes - 2 * mebibyte));
  try {
    const run = runProcess(at, source, { workDir });
    await expect(run).rejects.toMatchObject({ code: "storage_full", mediaCause: "disk-full" });
  } finally {
    await rm(ballast);
  }
});
