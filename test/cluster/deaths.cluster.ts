import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { readConfig } from "#server/config.ts";
import { sourceKey } from "#server/storage/media-keys.ts";
import { createS3Storage, type S3Storage } from "#server/storage/s3/s3.storage.ts";
import { createScratchArea } from "#server/storage/scratch-area.ts";
import { plain } from "../sample-videos.ts";
import type { Daemon } from "../harness/daemon.ts";
import {
  formOf,
  liker,
  makeUnique,
  nothingAcknowledged,
  origin,
  reader,
  sha256,
  signIn,
  uploader,
  watcher,
} from "./clients.ts";
import { findUnexplained, startLoad, type Incident } from "./load.ts";
import { startClusterSite, type ClusterSite } from "./site.ts";

const outageMs = 8000;
/** Generous, because the rest of the cluster uses the same processors. */
const recoveryMs = 90_000;
/** After failures in several outages, an upload waits minutes for its next attempt. */
const patience = { timeout: 500_000, interval: 200 };

let site: ClusterSite;
let cookie: string;
let clip: Buffer;
let storage: S3Storage;
beforeAll(async () => {
  clip = await readFile(await plain());
  site = await startClusterSite();
  cookie = await signIn(site.nginx.client);
  const { s3 } = readConfig(site.store.env);
  if (s3 === null) throw new Error("no S3 variables");
  storage = createS3Storage({
    config: s3,
    scratch: createScratchArea(join(site.folder, "scratch")),
  });
});
afterAll(() => site?.stop());

/** Headers of a signed-in call to a node itself, as from the proxy. */
const direct = () => ({ cookie, "x-forwarded-proto": "https" });

interface ReadyVideo {
  id: string;
  videoUrl: string;
}

/** Waits until the back office shows a video as fully processed. */
async function waitForReady(id: string): Promise<ReadyVideo> {
  return vi.waitFor(async () => {
    const response = await fetch(`${site.web[0].url}/api/videos/${id}`, { headers: direct() });
    const video = await response.json();
    expect(video).toMatchObject({ status: "ready", hlsUrl: expect.any(String) });
    return video;
  }, patience);
}

const fetchBytes = async (url: string): Promise<Buffer> => {
  const response = await fetch(url, { headers: direct() });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
};

/** Reads the stored original. */
const readSource = (id: string) =>
  storage.withLocalFile(sourceKey(id), (path: string) => readFile(path));

test("continues an upload at another node and plays it from both", async () => {
  const [a, b] = site.web;
  const file = makeUnique(clip);
  const half = Math.floor(file.length / 2);
  const tus = { ...direct(), "tus-resumable": "1.0.0" };
  const created = await fetch(`${a.url}/api/uploads`, {
    method: "POST",
    headers: {
      ...tus,
      "upload-length": String(file.length),
      "upload-metadata": `filename ${Buffer.from("clip.mp4").toString("base64")}`,
    },
  });
  expect(created.status).toBe(201);
  const path = new URL(created.headers.get("location") ?? "", a.url).pathname;
  const send = (url: string, offset: number, part: Buffer) =>
    fetch(url + path, {
      method: "PATCH",
      headers: {
        ...tus,
        "upload-offset": String(offset),
        "content-type": "application/offset+octet-stream",
      },
      body: new Uint8Array(part),
    });
  expect((await send(a.url, 0, file.subarray(0, half))).status).toBe(204);
  const seen = await fetch(b.url + path, { method: "HEAD", headers: tus });
  expect(seen.headers.get("upload-offset")).toBe(String(half));
  expect((await send(b.url, half, file.subarray(half))).status).toBe(204);
  const { type, body } = formOf({ title: "Both nodes", uploadId: path.split("/").at(-1) ?? "" });
  const response = await fetch(`${b.url}/api/videos`, {
    method: "POST",
    headers: { ...direct(), "content-type": type },
    body: new Uint8Array(body),
  });
  expect(response.status).toBe(201);
  const { id } = await response.json();
  const { videoUrl } = await waitForReady(id);
  expect(sha256(await readSource(id))).toBe(sha256(file));
  const [fromA, fromB] = [await fetchBytes(a.url + videoUrl), await fetchBytes(b.url + videoUrl)];
  expect(fromA.length).toBeGreaterThan(1000);
  const signed = await fetch(b.url + videoUrl, { headers: direct(), redirect: "manual" });
  expect(signed.headers.get("location")).toMatch(/[?&]X-Amz-Signature=/i);
  expect(sha256(fromB)).toBe(sha256(fromA));
});

test("loses nothing in deaths and outages", { timeout: 900_000 }, async () => {
  const { client } = site.nginx;
  const shown: ReadyVideo[] = [];
  for (let n = 0; n < 3; n += 1) {
    const { type, body } = formOf({ title: `Shown ${n}` }, makeUnique(clip));
    const headers = { origin, cookie };
    const asForm = { ...headers, "content-type": type };
    const response = await client.call("POST", "/api/videos", asForm, body);
    expect(response.status).toBe(201);
    const { id } = JSON.parse(response.body.toString());
    shown.push(await waitForReady(id));
    const asJson = { ...headers, "content-type": "application/json" };
    const change = Buffer.from('{"isPublished":true}');
    expect((await client.call("PUT", `/api/videos/${id}`, asJson, change)).status).toBe(200);
  }
  const ids = shown.map(({ id }) => id);
  const paths = [
    "/api/videos?limit=5&search=xNUMBER",
    `/api/videos/${ids[0]}?n=NUMBER`,
    "/search?q=yNUMBER",
    "/home",
    ...shown.map(({ videoUrl }) => videoUrl),
  ];
  const acknowledged = nothingAcknowledged();
  const load = startLoad(
    {
      read: [reader(client, () => paths), reader(client, () => paths.toReversed())],
      like: [liker(client, ids, acknowledged), liker(client, ids, acknowledged)],
      watch: [watcher(client, ids, acknowledged)],
    },
    100,
  );
  const uploads = startLoad(
    { upload: [uploader(client, () => cookie, clip, acknowledged)] },
    12_000,
  );
  const recovered = async () => {
    await load.waitForSuccesses(3, recoveryMs);
    await uploads.waitForSuccesses(1, recoveryMs);
  };
  const incidents: Incident[] = [];
  const said = (text: string) => process.stdout.write(`${text}\n`);
  async function during(
    name: string,
    kind: Pick<Incident, "cutsRequests" | "refuses">,
    run: (noteCut: () => void) => Promise<void>,
  ): Promise<void> {
    const incident: Incident = {
      name,
      ...kind,
      startedAt: performance.now(),
      cutAt: 0,
      endedAt: 0,
    };
    await run(() => {
      incident.cutAt = performance.now();
    });
    await recovered();
    incident.endedAt = performance.now();
    incidents.push(incident);
    const seconds = (incident.endedAt - incident.startedAt) / 1000;
    said(`${name}: over after ${seconds.toFixed(1)} s`);
  }
  /** Kills and restarts a process, like a service manager. */
  const kill = (name: string, daemon: Daemon, kind: Pick<Incident, "cutsRequests" | "refuses">) =>
    during(name, kind, async (noteCut) => {
      await daemon.stop("SIGKILL");
      noteCut();
      await daemon.start();
    });

  await recovered();
  // One of each is enough, because both web nodes and both workers run the same code.
  await kill(site.web[0].name, site.web[0].daemon, { cutsRequests: true, refuses: false });
  await kill(site.workers[0].name, site.workers[0].daemon, { cutsRequests: false, refuses: false });
  // It is the only web process, so visitors get no response while it is down.
  await during("nginx", { cutsRequests: true, refuses: false }, async (noteCut) => {
    await site.nginx.daemon.stop("SIGKILL");
    await site.nginx.daemon.start();
    noteCut();
  });
  const outage = { cutsRequests: false, refuses: true };
  await kill("PgBouncer", site.pooler.daemon, outage);
  await kill("PostgreSQL", site.postgres.daemon, outage);
  await during("PostgreSQL stopped", outage, async () => {
    await site.postgres.daemon.stop("SIGINT");
    await wait(outageMs);
    await site.postgres.daemon.start();
  });
  await during("S3 stopped", outage, async () => {
    await site.store.goAway();
    await wait(outageMs);
    await site.store.comeBack();
  });
  await Promise.all([load.stop(), uploads.stop()]);

  const outcomes = [...load.outcomes, ...uploads.outcomes];
  const unexplained = findUnexplained(outcomes, incidents);
  if (unexplained.length > 0) said(JSON.stringify({ incidents, unexplained }));
  expect.soft(unexplained).toEqual([]);
  for (const { id, sha256: sent } of acknowledged.uploads) {
    await waitForReady(id);
    expect(sha256(await readSource(id))).toBe(sent);
  }
  await expectCounted(acknowledged);
});

/** Expects every acknowledged change in the database, and totals that match their sums. */
async function expectCounted({ likes, watches }: ReturnType<typeof nothingAcknowledged>) {
  const keyOf = (row: { visitorId: string; videoId: string }) => `${row.visitorId} ${row.videoId}`;
  const columns = `visitor_id as "visitorId", video_id as "videoId"`;
  type Row = { visitorId: string; videoId: string };
  const liked = new Set(
    (await site.postgres.query<Row>(`select ${columns} from likes`)).map(keyOf),
  );
  const watched = new Set(
    (await site.postgres.query<Row>(`select ${columns} from watches`)).map(keyOf),
  );
  const known = [...likes.values()].filter(({ isLiked }) => isLiked !== null);
  expect(known.length).toBeGreaterThan(0);
  expect(known.filter((like) => liked.has(keyOf(like)) !== like.isLiked)).toEqual([]);
  expect(watches.length).toBeGreaterThan(0);
  expect(watches.filter((watch) => !watched.has(keyOf(watch)))).toEqual([]);
  const wrong = await site.postgres.query(`
    select id from videos v
    where likes <> (select count(*) from likes l where l.video_id = v.id)
      or views < (select count(*) from watches w where w.video_id = v.id)`);
  expect(wrong).toEqual([]);
}
