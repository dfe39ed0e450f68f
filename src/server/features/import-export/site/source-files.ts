import { createReadStream } from "node:fs";
import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { basename, join, posix, relative, sep } from "node:path";
import { AppError, hasCode } from "#server/lib/app-error.ts";
import { openZipArchive, type ZipEntry } from "./zip.ts";

export interface SourceFile {
  /** Path below the folder or inside the archive, with "/" and in composed form (NFC). */
  path: string;
  sizeBytes: number;
  modifiedAt: Date;
}

/** Something in the source that isn't imported. */
export interface RefusedFile {
  path: string;
  reason: string;
  /** Where it is on the disk, if it is a file or link in a folder. */
  localPath?: string;
}

/** Files of another site: a folder, or a zip archive that is read in place. */
export interface SourceFiles {
  /** Name of the folder or the archive. */
  name: string;
  files: ReadonlyMap<string, SourceFile>;
  refused: readonly RefusedFile[];
  open(path: string, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /** Path on the disk; null in an archive. */
  localPath(path: string): string | null;
  close(): Promise<void>;
}

const maxFiles = 1_000_000;

/** Folders of network storage and operating systems, such as recycle bins and snapshots. */
const systemFolder =
  /^(#recycle|@recycle|\$recycle\.bin|@eadir|#snapshot|lost\+found|system volume information)$/i;

/** Names of downloads that aren't complete, of system files and of hidden files. */
const isSkippedName = (name: string): boolean =>
  name.startsWith(".") ||
  /\.(part|part-frag\d+|crdownload|download|tmp|ytdl)$/i.test(name) ||
  systemFolder.test(name) ||
  name === "__MACOSX";

const outside = (path: string): AppError =>
  new AppError("invalid", `${path}: leads out of the folder`);

/**
 * Resolves a path that a file of the source contains, such as `../files/a.mp4`.
 * @returns its place in the source, in composed form. @throws AppError if it leads out of it.
 */
export function resolveInside(folder: string, path: string): string {
  const joined = posix.normalize(posix.join(folder, path.replaceAll("\\", "/")));
  if (posix.isAbsolute(path) || joined.startsWith("../") || joined === "..") throw outside(path);
  return joined.normalize("NFC");
}

/** Reads a small file whole. @throws AppError too_large. */
export async function readSmall(
  source: SourceFiles,
  path: string,
  maxBytes: number,
): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const piece of await source.open(path)) {
    sizeBytes += piece.byteLength;
    if (sizeBytes > maxBytes) {
      throw new AppError("too_large", `${path}: larger than ${Math.round(maxBytes / 1e6)} MB`);
    }
    // A stream may reuse the memory of a piece.
    pieces.push(Uint8Array.from(piece));
  }
  return Buffer.concat(pieces);
}

export interface FolderOptions {
  /** Names directly in the folder that are left out. */
  leavesOut?: readonly string[];
  /** False refuses all links. By default, those that lead to a file of the folder are followed. */
  followsLinks?: boolean;
}

/** @throws AppError if it is neither a folder nor a zip archive. */
export async function openSourceFiles(
  path: string,
  options: FolderOptions = {},
): Promise<SourceFiles> {
  const info = await stat(path).catch(() => null);
  if (info === null) throw new AppError("not_found", `${path} doesn't exist.`);
  if (info.isDirectory()) return openFolder(path, options);
  return openZip(path);
}

/** @throws AppError; the errors of a folder that can't be listed now. */
export async function openFolder(
  folder: string,
  { leavesOut = [], followsLinks = true }: FolderOptions,
): Promise<SourceFiles> {
  const root = await realpath(folder);
  const files = new Map<string, SourceFile>();
  const localPaths = new Map<string, string>();
  const refused: RefusedFile[] = [];

  async function add(full: string, path: string): Promise<void> {
    const info = await stat(full).catch((error: unknown) => findProblem(error, path));
    if (info === null) return;
    if (typeof info === "string") {
      refused.push({ path, reason: info, localPath: full });
      return;
    }
    if (!info.isFile()) return;
    if (files.has(path)) {
      const reason = "another file has the same name in another spelling";
      refused.push({ path, reason, localPath: full });
      return;
    }
    if (files.size >= maxFiles) throw new AppError("invalid", `More than ${maxFiles} files.`);
    files.set(path, { path, sizeBytes: info.size, modifiedAt: info.mtime });
    localPaths.set(path, full);
  }

  async function addLink(full: string, path: string): Promise<void> {
    const refuse = (reason: string) => refused.push({ path, reason, localPath: full });
    const target = await realpath(full).catch(() => null);
    if (target === null) refuse("a link to nothing");
    else if (!target.startsWith(`${root}${sep}`)) refuse("a link that leads out of the folder");
    else if (!followsLinks) refuse("a link to another file of the folder");
    else if ((await lstat(target)).isFile()) await add(target, path);
  }

  async function list(full: string, path: string) {
    try {
      return await readdir(full, { withFileTypes: true });
    } catch (error) {
      const problem = full === root ? "" : findProblem(error, path);
      if (problem === "") throw error;
      if (problem !== null) refused.push({ path, reason: problem });
      return [];
    }
  }

  const waiting = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const pathOf = (full: string) => relative(root, full).replaceAll(sep, "/").normalize("NFC");
    const entries = await list(next, pathOf(next));
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (isSkippedName(entry.name)) continue;
      if (next === root && leavesOut.includes(entry.name)) continue;
      const full = join(next, entry.name);
      if (entry.isDirectory()) waiting.push(full);
      else if (entry.isFile()) await add(full, pathOf(full));
      else if (entry.isSymbolicLink()) await addLink(full, pathOf(full));
    }
  }

  return {
    name: basename(root),
    files,
    refused,
    localPath: (path) => localPaths.get(path) ?? null,
    async open(path, signal) {
      const full = localPaths.get(path);
      if (full === undefined) throw missing(path);
      // A folder that was exchanged for a link in the meantime must not lead elsewhere.
      const real = await realpath(full).catch((error: unknown) => {
        throw unreadable(path, error);
      });
      if (!real.startsWith(`${root}${sep}`)) throw outside(path);
      return withoutChange(real, files.get(path), piecesOf(path, createReadStream(real), signal));
    },
    close: async () => undefined,
  };
}

const noPermission = "can't be read: the server has no permission";

/**
 * Returns why a file or folder is refused, or null if it has gone in the meantime. @throws the
 * error if it isn't about this file, such as that of a disk that was disconnected.
 */
function findProblem(error: unknown, path: string): string | null {
  if (hasCode(error, "EACCES", "EPERM")) return noPermission;
  if (hasCode(error, "ELOOP", "ENAMETOOLONG")) return "can't be read: its path is too long";
  if (!hasCode(error, "ENOENT", "ENOTDIR")) throw error;
  return path.includes("\uFFFD") ? "its name isn't valid UTF-8" : null;
}

/** Yields the pieces of a file. @throws AppError if it was written to since the folder was listed. */
async function* withoutChange(
  full: string,
  listed: SourceFile | undefined,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* pieces;
  const { size, mtime } = await stat(full).catch(() => ({ size: -1, mtime: new Date(0) }));
  if (size === listed?.sizeBytes && mtime.getTime() === listed.modifiedAt.getTime()) return;
  throw new AppError("conflict", `${listed?.path}: was changed while it was read`);
}

const missing = (path: string): AppError => new AppError("not_found", `${path}: doesn't exist`);

/** Opens an archive. Its files are read one at a time, when they are needed. */
async function openZip(path: string): Promise<SourceFiles> {
  const zip = await openZipArchive(path).catch((error: unknown) => {
    throw new AppError("invalid", `${path}: neither a folder nor a zip archive.`, { cause: error });
  });
  const files = new Map<string, SourceFile>();
  const entries = new Map<string, ZipEntry>();
  const refused: RefusedFile[] = [];
  for (const entry of zip.entries) {
    const { name, sizeBytes, modifiedAt } = entry;
    const parts = name.split(/[\\/]/);
    if (name.endsWith("/") || parts.some((part) => part !== ".." && isSkippedName(part))) continue;
    const reason = refusalOf(entry, parts);
    if (reason !== null) {
      refused.push({ path: name, reason });
      continue;
    }
    const inside = resolveInside("", name);
    if (files.has(inside)) {
      refused.push({ path: name, reason: "the archive contains this name twice" });
      continue;
    }
    files.set(inside, { path: inside, sizeBytes, modifiedAt });
    entries.set(inside, entry);
  }
  return {
    name: basename(path),
    files,
    refused,
    localPath: () => null,
    async open(name, signal) {
      const entry = entries.get(name);
      if (entry === undefined) throw missing(name);
      return piecesOf(name, zip.read(entry), signal);
    },
    close: async () => zip.close(),
  };
}

function refusalOf({ name, isLink, isEncrypted }: ZipEntry, parts: string[]): string | null {
  if (/^([a-z]:|[\\/])/i.test(name) || parts.includes("..")) {
    return "its path leads out of the archive";
  }
  if (isLink) return "a link";
  return isEncrypted ? "encrypted" : null;
}

function unreadable(path: string, error: unknown): AppError {
  if (hasCode(error, "ENOENT")) return missing(path);
  const why = hasCode(error, "EACCES", "EPERM") ? noPermission : "can't be read";
  return new AppError("invalid", `${path}: ${why}`, { cause: error });
}

/** Yields the pieces of a file. @throws AppError for a damaged or unreadable file. */
async function* piecesOf(
  path: string,
  pieces: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of pieces) {
      signal?.throwIfAborted();
      yield piece;
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof AppError ? error : unreadable(path, error);
  }
}
