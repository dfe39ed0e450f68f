import { mkdir, mkdtemp, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { OperatorError } from "./operator-error.ts";

/**
 * Creates the data folder if missing.
 * @throws OperatorError about DATA_DIR if files can't be created in it.
 */
export async function ensureDataFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
    await rmdir(await mkdtemp(join(path, ".trial-")));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
    throw new OperatorError(
      `DATA_DIR: "${path}" cannot be used (${code}); give a folder that this user can write.`,
      { cause: error },
    );
  }
}
