import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { withLock } from "./install/lock-file.mjs";
import { findNode } from "./install/node-runtime.mjs";
import { root } from "./process/paths.mjs";
import { reasonLines, runTool } from "./process/run-tool.mjs";
import { SetupError, say } from "./process/say.mjs";

/** Files that the build depends on. */
const sources = [
  "src/web",
  "src/contract",
  "src/texts",
  "src/ads/web",
  "src/ads/admin",
  "src/ads/contract",
  "vite.config.ts",
  "tsconfig.base.json",
  "tsconfig.web.json",
  "package.json",
  "package-lock.json",
  "setup/build.ts",
  "setup/inline-scripts.ts",
  "setup/light-schemas.ts",
  "setup/notices.ts",
  "setup/page-texts.ts",
  "setup/precompress.ts",
];
const stampPath = join(root, "dist", ".stamp");

let checked;

/** Builds the web part if its sources changed since the last build. Checks once per process. */
export function ensureBuild() {
  checked ??= buildIfStale();
  return checked;
}

async function buildIfStale() {
  if (isFresh(hashSources())) return;
  await withLock(join(root, ".build.lock"), "building", async () => {
    const hash = hashSources();
    if (isFresh(hash)) return;
    say("Building the pages…");
    const args = [join(root, "setup", "build.ts"), "--stamp", hash];
    const { code, output } = await runTool(findNode(), args, { cwd: root });
    if (code !== 0) {
      throw new SetupError(`Couldn't build the pages:\n${reasonLines(output, 12)}`);
    }
  });
}

function isFresh(hash) {
  return existsSync(stampPath) && readFileSync(stampPath, "utf8") === hash;
}

function hashSources() {
  const hash = createHash("sha256");
  for (const source of sources) {
    for (const path of listFiles(join(root, source))) {
      // Tests don't change the build.
      if (/\.test\.tsx?$/.test(path)) continue;
      hash
        .update(`${relative(root, path)}\0`)
        .update(readFileSync(path))
        .update("\0");
    }
  }
  return hash.digest("hex");
}

function listFiles(path) {
  if (!existsSync(path)) return [];
  const entries = tryReadDir(path);
  if (entries === null) return [path];
  return entries
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => listFiles(join(path, entry.name)));
}

/** Returns null if the path is a file. */
function tryReadDir(path) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    if (error.code === "ENOTDIR") return null;
    throw error;
  }
}
