import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { videoList, type Video } from "../../src/contract/videos.ts";
import { clips } from "../../src/server/demo/clips.ts";
import { root, startSite, type Site } from "./site.ts";

const dataDir = join(root, "bench", ".work", "demo");

async function listPlayable(url: string): Promise<Video[]> {
  const answer = await fetch(`${url}/api/videos?limit=100`);
  const { videos } = videoList.parse(await answer.json());
  return videos.filter(({ videoUrl }) => videoUrl !== null);
}

/** Draws the catalogue once and keeps it; a run that was broken off is continued. */
async function makeCatalogue(): Promise<void> {
  const site = await startSite({ dataDir, env: { KINORA_DEMO: "1" } });
  try {
    while ((await listPlayable(site.url)).length < clips.length) {
      await new Promise((resolve) => setTimeout(resolve, 2000));
    }
  } finally {
    await site.stop();
  }
}

/**
 * The demonstration catalogue behind a server that does nothing but answer: jobs that are still to
 * come (further qualities) wait for a worker, and would disturb whatever is measured.
 */
export async function startDemoSite(): Promise<{ site: Site; videos: Video[] }> {
  await mkdir(dataDir, { recursive: true });
  const serve = () => startSite({ dataDir, env: { ROLE: "web" } });
  let site = await serve();
  let videos = await listPlayable(site.url);
  if (videos.length < clips.length) {
    await site.stop();
    process.stdout.write("Making the demonstration catalogue, once. This takes a while ...\n");
    await makeCatalogue();
    site = await serve();
    videos = await listPlayable(site.url);
  }
  return { site, videos };
}
