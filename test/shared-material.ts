import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * Returns the folder of the external corpus with real videos (`media`) or VAST documents (`vast`).
 * Each has a manifest.json. `KINORA_CORPUS` is the parent folder. If it isn't set, returns null,
 * and tests that use the corpus are skipped.
 */
export function findCorpus(name: "media" | "vast"): string | null {
  const corpus = process.env["KINORA_CORPUS"] ?? "";
  if (corpus === "") return null;
  const folder = join(corpus, name);
  if (!existsSync(join(folder, "manifest.json"))) {
    throw new Error(`KINORA_CORPUS: ${folder} holds no manifest.json`);
  }
  return folder;
}
