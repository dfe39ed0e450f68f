import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { encodeClip } from "../clip-cache.ts";
import { type Site, startSite } from "../harness/server-process.ts";
import { picture } from "../sample-videos.ts";

/** When each run is killed: during the upload, or while the accepted video is processed. */
const kills = [
  { after: "start", ms: 20 },
  ...[0, 350, 900].map((ms) => ({ after: "response", ms })),
];

let folder: string;
let clip: Blob;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kinora-kill-"));
  // VP8 is never copied, so every upload needs a transcode that a kill can interrupt.
  const path = await encodeClip("clip.webm", [
    ...[...picture("160x90", 2), "-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8"],
  ]);
  clip = new Blob([await readFile(path)]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Uploads the clip. Records it if the server acknowledges it before it is killed. */
async function upload(site: Site, cookie: string, acknowledged: Set<string>): Promise<void> {
  const form = new FormData();
  form.set("title", `Clip ${acknowledged.size}`);
  form.set("tags", "one, two");
  form.set("video", clip, "clip.webm");
  try {
    const response = await fetch(`${site.url}/api/videos`, {
      method: "POST",
      headers: { cookie },
      body: form,
    });
    const body: unknown = await response.json();
    if (response.status === 201 && typeof body === "object" && body !== null && "id" in body) {
      acknowledged.add(String(body.id));
    }
  } catch {
    // The process was killed before the response.
  }
}

interface Listed {
  id: string;
  status: string;
  progress: number | null;
  hlsUrl: string | null;
  failureReason: string | null;
}

async function listAll(site: Site, cookie: string): Promise<Listed[]> {
  const response = await fetch(`${site.url}/api/videos?limit=100`, { headers: { cookie } });
  const body = (await response.json()) as { videos: Listed[] };
  return body.videos;
}

it("loses nothing acknowledged when a single machine is killed during an upload and transcodes", async () => {
  const dataDir = join(folder, "data");
  const acknowledged = new Set<string>();
  for (const { after, ms } of kills) {
    const site = await startSite({ dataDir });
    const cookie = await site.signIn();
    const uploaded = upload(site, cookie, acknowledged);
    if (after === "response") await uploaded;
    await new Promise((resolve) => setTimeout(resolve, ms));
    await site.stop("SIGKILL");
    await uploaded;
  }
  const site = await startSite({ dataDir });
  try {
    const cookie = await site.signIn();
    expect(acknowledged.size).toBeGreaterThanOrEqual(3);
    await expect
      .poll(
        async () => {
          const videos = await listAll(site, cookie);
          const ids = new Set(videos.map(({ id }) => id));
          const missing = [...acknowledged].filter((id) => !ids.has(id));
          // A video whose response was cut off by the kill may exist too, and it must also finish.
          const unfinished = videos.filter(
            ({ status, progress, hlsUrl }) =>
              status !== "ready" || progress !== 1 || hlsUrl === null,
          );
          return { missing, unfinished };
        },
        { timeout: 220_000, interval: 500 },
      )
      .toEqual({ missing: [], unfinished: [] });
  } finally {
    await site.stop();
  }
}, 400_000);
