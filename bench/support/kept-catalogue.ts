import { existsSync } from "node:fs";
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
  if (!existsSync(join(dataDir, "postgres"))) {
    await seedSite({ DATA_DIR: dataDir }, { videos: Number(videos), seed: 1 });
  }
  return dataDir;
}
