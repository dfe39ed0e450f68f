import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * Folder of the external corpus: real videos (`media`) or VAST documents (`vast`), each with a
 * manifest.json. `KINORA_CORPUS` is their parent folder. If it isn't set, the result is null and
 * tests of the corpus are skipped.
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
