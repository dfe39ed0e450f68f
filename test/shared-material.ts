import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const shared = fileURLToPath(new URL("../../shared", import.meta.url));

/**
 * The folder of real videos (`media`) or VAST documents (`vast`) beside the repository, or null
 * where it is missing: then `test.skipIf(dir === null)`. In continuous integration it must exist.
 */
export function findShared(name: "media" | "vast"): string | null {
  const dir = join(shared, name);
  if (existsSync(dir)) return dir;
  if (process.env["CI"] === "true") throw new Error(`../shared/${name} is missing`);
  return null;
}
