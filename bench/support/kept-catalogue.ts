import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seedSite } from "../seed.ts";

/**
 * Returns the DATA_DIR of a site with a generated catalogue of this size. The site stays in the
 * temporary folder for the next bench.
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

/** Returns the p95 limit in ms for reads from a catalogue of this size. */
export const limitP95Ms = (videos: string): number => (Number(videos) > 100_000 ? 200 : 50);
