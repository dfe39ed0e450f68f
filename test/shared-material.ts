import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * A folder of the outside corpus: real videos (`media`) or VAST documents (`vast`), each with a
 * manifest.json. The environment variable `KINORA_CORPUS` names the folder that holds both; where
 * it is unset the result is null and tests of the corpus are skipped.
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
