import { readFile, readdir, stat, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const compressible = new Set([".js", ".css", ".html", ".json", ".svg", ".txt", ".webmanifest"]);
/** Below this size, headers outweigh what compression saves. */
const minBytes = 512;

/**
 * Writes `.br` and `.gz` files beside every text file below `dir` that compression makes smaller.
 */
export async function precompress(dir: string): Promise<void> {
  for (const entry of await readdir(dir, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !compressible.has(extname(path))) continue;
    if ((await stat(path)).size < minBytes) continue;
    const plain = await readFile(path);
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
    };
    const [br, gz] = await Promise.all([
      promisify(brotliCompress)(plain, { params }),
      promisify(gzip)(plain, { level: constants.Z_BEST_COMPRESSION }),
    ]);
    if (br.length < plain.length) await writeFile(`${path}.br`, br);
    if (gz.length < plain.length) await writeFile(`${path}.gz`, gz);
  }
}
