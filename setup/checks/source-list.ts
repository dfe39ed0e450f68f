import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { listTrackedFiles } from "../source-files.mjs";

/** Writes source-files.txt from what git tracks; with `--check` it only compares. */
const root = fileURLToPath(new URL("../../", import.meta.url));
const path = `${root}source-files.txt`;
const list = listTrackedFiles(root);

if (list !== null) {
  if (!process.argv.includes("--check")) writeFileSync(path, list);
  else if (readFileSync(path, "utf8") !== list) {
    console.log("source-files.txt differs from what git tracks. Run npm run source-list.");
    process.exitCode = 1;
  }
}
