import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { videoList, type Video } from "#contract/videos/videos.ts";
import { clips } from "../../demo/clips.ts";
import { root, startSite, type Site } from "#test/harness/server-process.ts";

const adList = z.object({ ads: z.array(z.object({ id: z.string(), isActive: z.boolean() })) });
const dataDir = join(root, "bench", ".work", "demo");

async function listVideos(url: string): Promise<Video[]> {
  const response = await fetch(`${url}/api/videos?limit=100`);
  return videoList.parse(await response.json()).videos;
}

/** Returns whether all renditions exist. Those of locked videos aren't shown. */
const isComplete = (videos: readonly Video[]): boolean =>
  videos.length >= clips.length &&
  videos.every(({ isLocked, hlsUrl }) => isLocked === true || hlsUrl !== null);

/** Generates the catalogue once and reuses it. Continues a run that was interrupted. */
async function generateCatalogue(): Promise<void> {
  const site = await startSite({ dataDir, entry: "demo/main.ts" });
  try {
    while (!isComplete(await listVideos(site.url))) {
      await new Promise((resolve) => setTimeout(resolve, 2000));
    }
  } finally {
    await site.stop();
  }
}

/** Switches all advertisements on or off. */
async function switchAds(site: Site, isActive: boolean): Promise<void> {
  const headers = { cookie: await site.signIn(), "content-type": "application/json" };
  const response = await fetch(`${site.url}/api/ads`, { headers });
  const { ads } = adList.parse(await response.json());
  for (const { id } of ads.filter((ad) => ad.isActive !== isActive)) {
    const body = JSON.stringify({ isActive });
    const done = await fetch(`${site.url}/api/ads/${id}`, { method: "PUT", headers, body });
    if (!done.ok) throw new Error(`an ad could not be switched: ${done.status}`);
  }
}

/**
 * Starts a server with the demonstration catalogue. It has no worker, because queued jobs would
 * disturb the measurement. Ads are off when clips are measured, because sponsored items advance by
 * themselves and a pre-roll delays the content.
 */
export async function startDemoSite({
  hasAds,
}: {
  hasAds: boolean;
}): Promise<{ site: Site; videos: Video[] }> {
  await mkdir(dataDir, { recursive: true });
  const serve = () => startSite({ dataDir, env: { ROLE: "web", WRITE_LIMITS: "0" } });
  let site = await serve();
  let videos = await listVideos(site.url);
  if (!isComplete(videos)) {
    await site.stop();
    process.stdout.write("Generating the demonstration catalogue, once. This takes a while ...\n");
    await generateCatalogue();
    site = await serve();
    videos = await listVideos(site.url);
  }
  await switchAds(site, hasAds);
  return { site, videos: videos.filter(({ isLocked }) => isLocked !== true) };
}
