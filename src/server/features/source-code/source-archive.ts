import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

const folders = ["src", "setup", "demo", "bench", "test", "e2e", "docs", "deploy"];
/** Only what the program consists of: an operator may keep secrets and data beside it. */
const rootFiles =
  /^((package|package-lock|knip|tsconfig[.\w]*)\.json|\.ox\w+\.json|v[\w.]+\.config\.ts|[A-Z_]+(\.md)?)$/;

/** Installed packages, and the data of measurements. */
const besideTheSource = /\/(node_modules|\.[^/]+)\//;

/** Paths from `root` with `/`, in order. */
export async function listSourceFiles(root: string): Promise<string[]> {
  const top = await readdir(root, { withFileTypes: true });
  const files = top
    .filter((entry) => entry.isFile() && rootFiles.test(entry.name))
    .map((entry) => entry.name);
  for (const folder of folders) {
    if (!top.some((entry) => entry.isDirectory() && entry.name === folder)) continue;
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      if (!entry.isFile()) continue;
      const file = join(entry.parentPath, entry.name).slice(root.length).replaceAll("\\", "/");
      if (!besideTheSource.test(file)) files.push(file);
    }
  }
  return files.map((file) => file.replace(/^\//, "")).toSorted();
}

/** A header of the ustar format (POSIX.1-1988). `path` has at most 100 bytes. */
function header(path: string, sizeBytes: number): Buffer {
  if (Buffer.byteLength(path) > 100) throw new Error(`The path is too long for ustar: ${path}`);
  const block = Buffer.alloc(512);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, "0");
  block.write(path, 0);
  block.write(`${octal(0o644, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0`, 100);
  block.write(`${octal(sizeBytes, 11)}\0${octal(0, 11)}\0`, 124);
  block.write("        0", 148);
  block.write("ustar\u000000", 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(sum, 6)}\0 `, 148);
  return block;
}

/** The source of the running program as tar.gz, in one folder of that name. */
export async function packSource(root: string, folder: string): Promise<Buffer> {
  const blocks: Buffer[] = [];
  for (const file of await listSourceFiles(root)) {
    const content = await readFile(join(root, file));
    const padding = Buffer.alloc((512 - (content.length % 512)) % 512);
    blocks.push(header(`${folder}/${file}`, content.length), content, padding);
  }
  return promisify(gzip)(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}
