import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seedSite } from "../seed.ts";

/**
 * A site with a generated catalogue of so many videos. It stays in the temporary folder, so that the
 * next bench that needs it starts at once.
 * @returns its DATA_DIR.
 */
export async function keptCatalogue(videos: string): Promise<string> {
  const dataDir = join(tmpdir(), `kinora-bench-lists-${videos}`);
  if (!existsSync(dataDir)) {
    // An interrupted run leaves tables without indexes.
    const unfinished = `${dataDir}.unfinished`;
    await rm(unfinished, { recursive: true, force: true });
    await seedSite({ DATA_DIR: unfinished }, { videos: Number(videos), seed: 1 });
    await rename(unfinished, dataDir);
  }
  return dataDir;
}
