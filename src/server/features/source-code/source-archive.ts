import { createHash } from "node:crypto";
import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { hasCode } from "#server/lib/error-code.ts";
import { tarEnd, tarHeader, tarPadding } from "#server/lib/tar.ts";

/** List that the build writes from the files git tracks, and the list included in the release. */
const lists = ["dist/source-files.txt", "source-files.txt"];

interface SourceFile {
  path: string;
  content: Buffer;
}

const blobHash = (content: Buffer): string =>
  createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");

/** Returns null for missing files and for anything that isn't a regular file. */
async function readRegularFile(path: string): Promise<Buffer | null> {
  try {
    return (await lstat(path)).isFile() ? await readFile(path) : null;
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return null;
    throw error;
  }
}

/**
 * Reads the files of the release, in order. Never walks a folder, because operators store secrets
 * and data beside the program. Lines with a hash are files that operators edit in place and that
 * may contain passwords. They are left out unless they are unchanged.
 * @returns an empty list if there is no list.
 */
export async function readSourceFiles(root: string): Promise<SourceFile[]> {
  let list: Buffer | null = null;
  for (const name of lists) list ??= await readRegularFile(join(root, name));
  const files: SourceFile[] = [];
  for (const line of list?.toString().split("\n") ?? []) {
    const [path = "", hash] = line.split("\t");
    if (path === "") continue;
    const content = await readRegularFile(join(root, path));
    if (content === null || (hash !== undefined && blobHash(content) !== hash)) continue;
    files.push({ path, content });
  }
  return files;
}

/** Packs the running program's source as tar.gz, inside one folder with this name. */
export async function packSource(root: string, folder: string): Promise<Buffer> {
  const blocks: Buffer[] = [];
  for (const { path, content } of await readSourceFiles(root)) {
    const header = tarHeader(`${folder}/${path}`, content.length, 0o644);
    blocks.push(header, content, tarPadding(content.length));
  }
  return promisify(gzip)(Buffer.concat([...blocks, tarEnd()]));
}
