import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { readConfig } from "#server/config.ts";
import { createS3Storage, type S3Storage } from "#server/storage/s3/s3.storage.ts";
import { createScratchArea } from "#server/storage/scratch-area.ts";
import { encodeClip } from "../clip-cache.ts";
import { aac, h264, tone } from "../sample-videos.ts";
import { formOf, makeUnique, signIn } from "./clients.ts";
import { startClusterSite, type ClusterSite } from "./site.ts";

const patience = { timeout: 240_000, interval: 50 };

let site: ClusterSite;
let headers: Record<string, string>;
let storage: S3Storage;
let clip: Buffer;
beforeAll(async () => {
  // Enough frames for a ladder that is worth dividing, and quickly encoded.
  const grey = ["-f", "lavfi", "-i", "color=c=gray:s=1920x1080:r=25:d=50"];
  clip = await readFile(await encodeClip("grey-1080.mp4", [...grey, ...tone(50), ...h264, ...aac]));
  site = await startClusterSite();
  headers = { cookie: await signIn(site.nginx.client), "x-forwarded-proto": "https" };
  const { s3 } = readConfig(site.store.env);
  if (s3 === null) throw new Error("no S3 variables");
  storage = createS3Storage({ config: s3, scratch: createScratchArea(`${site.folder}/scratch`) });
});
afterAll(() => site?.stop());

interface Part {
  number: number;
  retries: number;
  state: string;
}

/** The jobs that make the parts of a video's ladder. */
const listParts = (id: string) =>
  site.postgres.query<Part>(
    `select (data->>'part')::int as number, retry_count as retries, state::text
     from pgboss.job where name = 'video.finish' and data->>'videoId' = '${id}' and data ? 'part'
     order by number`,
  );

/** Uploads a video, and waits until both workers make a part of its ladder. */
async function addDivided(): Promise<string> {
  const { type, body } = formOf({ title: "Divided" }, makeUnique(clip));
  const response = await fetch(`${site.web[0].url}/api/videos`, {
    method: "POST",
    headers: { ...headers, "content-type": type },
    body: new Uint8Array(body),
  });
  expect(response.status).toBe(201);
  const { id } = await response.json();
  // Each of them makes one ladder, or part of one, at a time.
  await vi.waitFor(async () => {
    const states = (await listParts(id)).map(({ state }) => state);
    expect(states).toEqual(["active", "active"]);
  }, patience);
  return id;
}

async function listKeys(token: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.list(`v/${token}/`)) keys.push(key);
  return keys;
}

test("two workers divide a ladder, and one makes the part of the other that dies", async () => {
  const id = await addDivided();
  const [lost] = site.workers;
  await lost.daemon.stop("SIGKILL");
  const video = await vi.waitFor(async () => {
    const found = await (await fetch(`${site.web[0].url}/api/videos/${id}`, { headers })).json();
    expect(found).toMatchObject({ status: "ready", progress: 1, hlsUrl: expect.any(String) });
    return found;
  }, patience);
  expect((await listParts(id)).map(({ retries }) => Math.min(1, retries)).toSorted()).toEqual([
    0, 1,
  ]);

  const [a, b] = site.web;
  const read = async (path: string, from = a) => {
    const response = await fetch(from.url + path, { headers });
    expect(response.status).toBe(200);
    return response.text();
  };
  const folder = video.hlsUrl.replace("master.m3u8", "");
  const uris = (await read(video.hlsUrl)).match(/[\w-]+\/\w+\.m3u8/g) ?? [];
  expect(uris.map((uri) => uri.replace(/.*\//, "")).toSorted()).toEqual([
    ...["audio.m3u8", "v1080.m3u8", "v360.m3u8", "v480.m3u8", "v720.m3u8"],
  ]);
  // Of two workers, each with a folder of its own.
  expect(new Set(uris.map((uri) => uri.replace(/\/.*/, ""))).size).toBe(2);
  for (const uri of uris) {
    const playlist = await read(folder + uri, b);
    expect(playlist).toContain("#EXT-X-ENDLIST");
    const ranges = [...playlist.matchAll(/^#EXT-X-BYTERANGE:(\d+)@(\d+)/gm)];
    const ends = ranges.map(([, length, start]) => Number(length) + Number(start));
    const key = `${folder}${uri.replace(".m3u8", ".mp4")}`.slice("/media/".length);
    expect(Math.max(...ends)).toBe((await storage.getStat(key)).sizeBytes);
  }
  await lost.daemon.start();
});

test("the removal of a video ends the work of both workers and leaves no file", async () => {
  // Nothing is kept in the trash.
  await site.postgres.query("update settings set trash_days = 0");
  const id = await addDivided();
  const [row] = await site.postgres.query<{ token: string }>(
    `select media_token as token from videos where id = '${id}'`,
  );
  const removed = await fetch(`${site.web[1].url}/api/videos/${id}`, { method: "DELETE", headers });
  expect(removed.status).toBe(204);
  await vi.waitFor(async () => {
    expect((await listParts(id)).map(({ state }) => state)).toEqual(["completed", "completed"]);
    expect(await listKeys(row?.token ?? "")).toEqual([]);
  }, patience);
  expect(await storage.findStat(`sources/${id}`)).toBeNull();
});
