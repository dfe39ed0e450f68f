import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { toConnectionString } from "#server/db/connection.ts";
import { createClient, startTestApp, type TestApp } from "../app.ts";
import { makeVideo, type VideoRow } from "../factories/make-video.ts";
import { startObjectStore, type ObjectStore } from "../harness/object-store.ts";
import { root } from "../harness/server-process.ts";
import {
  addMembersVideo,
  attack,
  closed,
  createVisitors,
  mark,
  pathsOf,
  type AttackedSite,
} from "../members-attack.ts";
import { createRandom } from "../reference/random.ts";
import { faststart, plain, sampleVideos } from "../sample-videos.ts";
import { askRaw } from "../target-spellings.ts";
import { makeUnique, sha256 } from "./clients.ts";

let engine: ObjectStore;
const apps: TestApp[] = [];
beforeAll(async () => {
  engine = await startObjectStore();
});
// Together, the sites' connections would exceed the database's limit.
afterEach(async () => {
  // Stops later sites first.
  for (const app of apps.splice(0).toReversed()) await app.stop();
});
afterAll(() => engine.stop());

type Options = Parameters<typeof startTestApp>[0];
async function start(prefix: string, options: Options = {}): Promise<TestApp> {
  const env = { ...engine.env, S3_PREFIX: prefix, ...options.env };
  const app = await startTestApp({ ...options, env });
  apps.push(app);
  return app;
}

/** Number of outages of the bucket while videos are processed. */
const outages = 5;
const patience = { timeout: 120_000, interval: 200 };

async function sendForm(app: TestApp, cookie: string, fields: Record<string, string | Blob>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return createClient(app.url, cookie).call("POST", "/api/videos", form, { origin: app.url });
}

async function waitUntilReady(app: TestApp, cookie: string, id: string) {
  const client = createClient(app.url, cookie);
  return vi.waitFor(async () => {
    const { json } = await client.call("GET", `/api/videos/${id}`);
    expect(json.status).toBe("ready");
    expect(json.hlsUrl).not.toBeNull();
    return json;
  }, patience);
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

async function publish(app: TestApp, cookie: string, id: string, isPublished: boolean) {
  const client = createClient(app.url, cookie);
  const { status } = await client.call("PUT", `/api/videos/${id}`, { isPublished });
  expect(status).toBe(200);
}

test("starts an upload at one node, continues at another, and processes it from the bucket", async () => {
  const env = { MEDIA_DELIVERY: "redirect" };
  const a = await start("across", { env });
  const b = await start("across", { besides: a, env });
  const worker = await start("across", { besides: a, env: { ...env, ROLE: "worker" }, work: true });
  const cookie = await a.signIn();
  const source = await readFile(await faststart());
  // A free box at the end of the file makes it longer than one part.
  const free = Buffer.alloc(18 * 1024 * 1024);
  free.writeUInt32BE(free.length, 0);
  free.write("free", 4);
  const bytes = Buffer.concat([source, free]);

  const tus = (
    app: TestApp,
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: Uint8Array<ArrayBuffer>,
  ) =>
    fetch(app.url + path, {
      method,
      headers: { cookie, origin: app.url, "tus-resumable": "1.0.0", ...headers },
      ...(body === undefined ? {} : { body }),
    });
  const sendPart = (app: TestApp, path: string, from: number, to: number) =>
    tus(
      app,
      "PATCH",
      path,
      { "content-type": "application/offset+octet-stream", "upload-offset": String(from) },
      new Uint8Array(bytes.subarray(from, to)),
    );

  const created = await tus(a, "POST", "/api/uploads", { "upload-length": `${bytes.length}` });
  expect(created.status).toBe(201);
  const path = created.headers.get("location") ?? "";
  const id = path.split("/").at(-1) ?? "";
  const ends = [1_000_000, 3_000_000, 9_500_000, 9_600_000, bytes.length];
  let at = 0;
  for (const [index, end] of ends.entries()) {
    const app = index % 2 === 0 ? a : b;
    const sent = await sendPart(app, path, at, end);
    expect([sent.status, sent.headers.get("upload-offset")]).toEqual([204, String(end)]);
    const seen = await tus(index % 2 === 0 ? b : a, "HEAD", path);
    expect(seen.headers.get("upload-offset")).toBe(String(end));
    at = end;
  }
  expect(await readdir(join(a.dataDir, "uploads"))).toEqual([]);
  expect(await readdir(join(b.dataDir, "uploads"))).toEqual([]);

  const { status, json } = await sendForm(b, cookie, { title: "Across", uploadId: id });
  expect([status, json.id]).toEqual([201, id]);
  expect(sha256(await a.context.storage.readBytes(`sources/${id}`, 1e9))).toBe(sha256(bytes));
  const { rows } = await a.database.pool.query("select count(*)::int from staged_uploads");
  expect(rows).toEqual([{ count: 0 }]);

  const ready = await waitUntilReady(a, cookie, id);
  await publish(a, cookie, id, true);
  const key = String(ready.videoUrl ?? "").slice("/media/".length);
  const expected = sha256(await worker.context.storage.readBytes(key, 1e9));
  for (const app of [a, b]) {
    const response = await fetch(`${app.url}/media/${key}`);
    expect(response.url).toContain("X-Amz-Signature=");
    expect(sha256(new Uint8Array(await response.arrayBuffer()))).toBe(expected);
  }
  // The worker has no local copy left.
  const [own = ""] = await readdir(join(worker.dataDir, "storage/scratch"));
  await vi.waitFor(async () => {
    const left = own === "" ? [] : await readdir(join(worker.dataDir, "storage/scratch", own));
    expect(left).toEqual([]);
  }, patience);
});

test("uploads a form into the bucket, and reports and waits while that is unreachable", async () => {
  const app = await start("outage", { work: true });
  const cookie = await app.signIn();
  const video = new Blob([new Uint8Array(await readFile(await plain()))]);
  const first = await sendForm(app, cookie, { title: "Before", video });
  expect(first.status).toBe(201);
  const { videoUrl } = await waitUntilReady(app, cookie, first.json.id);

  const second = await sendForm(app, cookie, { title: "During", video });
  await engine.goAway();
  try {
    const away = await sendForm(app, cookie, { title: "Refused", video });
    expect([away.status, away.json.code]).toEqual([503, "unavailable"]);
    expect(away.headers.get("retry-after")).toBe("5");
    const media = await fetch(app.url + videoUrl, { headers: { cookie } });
    expect([media.status, media.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await media.json()).toMatchObject({
      message: "Media storage can't be reached. Try again in a moment.",
    });
    expect((await fetch(`${app.url}/readyz`)).status).toBe(503);
    expect((await fetch(`${app.url}/api/videos`)).status).toBe(200);
  } finally {
    await engine.comeBack();
  }
  await waitUntilReady(app, cookie, second.json.id);
  expect((await fetch(app.url + videoUrl, { headers: { cookie } })).status).toBe(200);
  await vi.waitFor(
    async () => expect((await fetch(`${app.url}/readyz`)).status).toBe(200),
    patience,
  );
});

test("completes every video when the bucket disappears during work, and leaves nothing", async () => {
  const app = await start("faults", { work: true });
  const cookie = await app.signIn();
  const clips = [
    await readFile(await plain()),
    await readFile(await sampleVideos.fullChroma.make()),
  ];
  const random = createRandom(18);
  const ids: string[] = [];
  for (let outage = 0; outage < outages; outage += 1) {
    const clip = makeUnique(clips[outage % clips.length] ?? Buffer.alloc(0));
    const video = new Blob([new Uint8Array(clip)]);
    const { status, json } = await sendForm(app, cookie, { title: `Fault ${outage}`, video });
    expect(status).toBe(201);
    ids.push(json.id);
    await wait(random.below(1000));
    await engine.goAway();
    await wait(random.below(1000));
    await engine.comeBack();
  }
  const rows = await vi.waitFor(
    async () => {
      const found = await app.db.selectFrom("videos").selectAll().execute();
      for (const row of found) expect(row).toMatchObject({ status: "ready", progress: 1 });
      return found;
    },
    // After failures in all outages, a video waits 80 s for its last attempt.
    { ...patience, timeout: 500_000 },
  );
  expect(rows.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());

  // Orphaned files are deleted a day later.
  const { storage, jobs } = app.context;
  const list = storage.list.bind(storage);
  vi.spyOn(storage, "list").mockImplementation(async function* (prefix) {
    for await (const object of list(prefix)) yield { ...object, modifiedAt: new Date(0) };
  });
  for (const { name, run } of jobs)
    if (name.startsWith("maintenance.")) await run({}, { signal: new AbortController().signal });
  const text = JSON.stringify(rows);
  const stored: string[] = [];
  for await (const { key } of list("")) stored.push(key);
  const entryOf = (key: string) => key.split("/").slice(0, 3).join("/");
  expect(stored.filter((key) => !text.includes(entryOf(key)))).toEqual([]);
  const named = [...text.matchAll(/"(v\/[^"]+|sources\/[^"]+)"/g)].map(([, key = ""]) => key);
  expect(named.filter((key) => !stored.includes(key))).toEqual([]);
  await vi.waitFor(async () => {
    for (const folder of ["storage/scratch", "uploads", "media-work"]) {
      expect(await listFiles(join(app.dataDir, folder))).toEqual([]);
    }
  }, patience);
}, 300_000);

test("serves a listed video at the CDN's address, but never a draft", async () => {
  const base = `${engine.endpoint}/${engine.bucket}/cdn/published`;
  const app = await start("cdn", { work: true, env: { MEDIA_BASE_URL: base } });
  const { storage, s3 } = app.context;
  const cookie = await app.signIn();
  const listed = await makeVideo(app.db);
  const draft = await makeVideo(app.db, { is_published: false });
  const keyOf = ({ media_token: token }: VideoRow, name: string) => `v/${token}/step/${name}`;
  const bytes = randomBytes(100_000);
  for (const video of [listed, draft]) {
    await storage.putBytes(keyOf(video, "play.mp4"), bytes);
    await storage.putBytes(keyOf(video, "master.m3u8"), "#EXTM3U\n");
  }
  const get = (video: VideoRow, name: string, headers = {}) =>
    fetch(`${app.url}/media/${keyOf(video, name)}`, { redirect: "manual", headers });

  const led = await get(listed, "play.mp4", { range: "bytes=0-9" });
  expect([led.status, led.headers.get("location")]).toEqual([
    302,
    `${base}/${keyOf(listed, "play.mp4")}`,
  ]);
  expect(await s3?.findStat(`published/${keyOf(listed, "play.mp4")}`)).not.toBeNull();
  // URLs in playlists are relative to the playlist.
  expect(await (await get(listed, "master.m3u8")).text()).toBe("#EXTM3U\n");

  expect((await get(draft, "play.mp4")).status).toBe(404);
  const own = await get(draft, "play.mp4", { cookie });
  expect([own.status, (await own.arrayBuffer()).byteLength]).toEqual([200, bytes.length]);
  expect(await s3?.findStat(`published/${keyOf(draft, "play.mp4")}`)).toBeNull();

  const expectNoCopies = () =>
    vi.waitFor(async () => {
      const left: string[] = [];
      if (s3 !== null) for await (const { key } of s3.list("published/")) left.push(key);
      expect(left).toEqual([]);
    }, patience);
  // A public copy can't check the country.
  const admin = createClient(app.url, cookie);
  const rule = (blockedCountries: string[]) =>
    admin.call("PUT", `/api/videos/${listed.id}`, { blockedCountries });
  await rule(["DE"]);
  await expectNoCopies();
  await vi.waitFor(async () => expect((await get(listed, "play.mp4")).status).toBe(200), patience);
  await rule([]);
  await vi.waitFor(async () => expect((await get(listed, "play.mp4")).status).toBe(302), patience);

  await publish(app, cookie, listed.id, false);
  await expectNoCopies();
  expect((await get(listed, "play.mp4")).status).toBe(404);
});

test("removes the files of members' videos from the CDN's folder, and serves them itself", async () => {
  const base = `${engine.endpoint}/${engine.bucket}/members/published`;
  const env = { MEDIA_BASE_URL: base, MEDIA_DELIVERY: "redirect" };
  const cdn = await start("members", { work: true, env });
  const signing = await start("members", {
    besides: cdn,
    env: { MEDIA_DELIVERY: "redirect" },
  });
  const { storage, s3 } = cdn.context;
  if (s3 === null) throw new Error("no bucket");
  const owner = createClient(cdn.url, await cdn.signIn("OWNER"));
  const site: AttackedSite = {
    db: cdn.db,
    admin: async (method, path, body) => (await owner.call(method, path, body)).json,
    async use(code) {
      const device = createClient(cdn.url);
      await device.call("POST", "/pass", { code, do: "use" });
      return [...device.jar].map(([name, value]) => `${name}=${value}`).join("; ");
    },
    leave: (cookie) => createClient(cdn.url, cookie).call("POST", "/pass", { do: "leave" }),
  };
  const put = (key: string, bytes: Buffer) => storage.putBytes(key, bytes);
  const video = await addMembersVideo(cdn.db, put, { slug: "harbour", title: "Harbour" });
  const brief = await addMembersVideo(cdn.db, put, { slug: "brief", title: "B", duration_s: 20 });
  const get = (app: TestApp, name: string, headers: Record<string, string> = {}) =>
    fetch(`${app.url}/media/v/${video.media_token}/${name}`, { redirect: "manual", headers });
  const copy = `published/v/${video.media_token}/${closed[0]}`;

  // While premium is only a badge, the bucket and the CDN serve the file.
  expect((await get(cdn, closed[0])).headers.get("location")).toContain(base);
  expect((await get(signing, closed[0])).headers.get("location")).toContain("X-Amz-Signature=");
  expect(await s3.findStat(copy)).not.toBeNull();
  await site.admin("POST", "/api/settings", { premiumAccess: "members" });
  await vi.waitFor(async () => {
    expect((await get(signing, closed[0])).status).toBe(403);
    const left: string[] = [];
    for await (const { key } of s3.list("published/")) left.push(key);
    expect(left).toEqual([]);
  }, patience);

  const { strangers, member } = await createVisitors(site);
  for (const app of [cdn, signing]) {
    const { hostname, port, host } = new URL(app.url);
    for (const [who, own] of Object.entries(strangers)) {
      const headers = Object.entries({ host, ...own }).map(([name, value]) => `${name}: ${value}`);
      const targets = [
        ...closed.map((name) => `/media/v/${video.media_token}/${name}`),
        ...(app === signing ? pathsOf(video, brief, closed[0], host) : []),
      ];
      await attack(video, targets, who, async (target) => {
        const response = await askRaw({ hostname, port: Number(port) }, target, headers);
        return JSON.stringify([...response.headers]) + response.body;
      });
    }
    for (const name of closed) {
      const played = await get(app, name, { cookie: member.cookie });
      // An address of the bucket would outlive the pass.
      expect([name, played.status, played.headers.get("location")]).toEqual([name, 200, null]);
      expect(played.headers.get("cache-control")).toBe("private, no-store");
      expect(await played.text()).toContain(mark);
    }
  }
  expect(await s3.findStat(copy)).toBeNull();
  await site.admin("DELETE", `/api/admin/passes/${member.id}`);
  for (const app of [cdn, signing]) {
    expect((await get(app, closed[0], { cookie: member.cookie })).status).toBe(403);
  }
});

test("signs addresses of drafts for a short time, of listed videos for longer", async () => {
  const app = await start("signed", { env: { MEDIA_DELIVERY: "redirect" } });
  const cookie = await app.signIn();
  const listed = await makeVideo(app.db);
  const draft = await makeVideo(app.db, { is_published: false });
  const pathOf = (video: VideoRow) => `v/${video.media_token}/play.mp4`;
  for (const video of [listed, draft]) {
    await app.context.storage.putBytes(pathOf(video), "0123456789");
  }
  const expiryOf = async (video: VideoRow) => {
    const address = `${app.url}/media/${pathOf(video)}`;
    const head = await fetch(address, { method: "HEAD", headers: { cookie } });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, "10"]);
    const response = await fetch(address, { redirect: "manual", headers: { cookie } });
    const url = new URL(response.headers.get("location") ?? "");
    const part = await fetch(url, { headers: { range: "bytes=3-5" } });
    expect([part.status, await part.text()]).toEqual([206, "345"]);
    return Number(url.searchParams.get("X-Amz-Expires"));
  };
  expect(await expiryOf(listed)).toBe(6 * 3600);
  expect(await expiryOf(draft)).toBe(600);
  const unknown = await fetch(`${app.url}/media/${pathOf(draft)}`, { redirect: "manual" });
  expect(unknown.status).toBe(404);
});

/**
 * Runs `npm run admin -- storage move --to TO` on a running site.
 * @param killWhen the command is killed when this resolves.
 */
async function move(
  app: TestApp,
  env: Record<string, string>,
  to: string,
  killWhen?: () => Promise<unknown>,
) {
  const child = spawn(
    process.execPath,
    ["src/server/admin-cli.ts", "storage", "move", "--to", to],
    {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        ...env,
        DATA_DIR: app.dataDir,
        DATABASE_URL: toConnectionString(app.database.target),
      },
    },
  );
  const closed = new Promise<number | null>((resolve) => child.on("close", resolve));
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  await killWhen?.().finally(() => child.kill("SIGKILL"));
  const [stdout, stderr] = await said;
  return { code: await closed, stdout, stderr };
}

async function countMoved(app: TestApp): Promise<number> {
  let count = 0;
  for await (const _ of app.context.s3?.list("v/") ?? []) count += 1;
  return count;
}

test("moves 200 videos to the bucket and back without a failed range while in use", async () => {
  const env = { ...engine.env, S3_PREFIX: "moved" };
  const app = await startTestApp();
  apps.push(app);
  const videos = new Map<string, Buffer>();
  async function add(): Promise<void> {
    const { media_token: token } = await makeVideo(app.db);
    const key = `v/${token}/step/play.mp4`;
    const bytes = randomBytes(20_000 + videos.size * 100);
    await app.context.storage.putBytes(key, bytes);
    videos.set(key, bytes);
  }
  for (let n = 0; n < 199; n += 1) await add();
  // Large enough to be sent in parts.
  const { media_token: token } = await makeVideo(app.db);
  const large = randomBytes(20 * 1024 * 1024);
  await app.context.storage.putBytes(`v/${token}/step/play.mp4`, large);
  videos.set(`v/${token}/step/play.mp4`, large);

  // The same site with S3 variables. Its media stay on disk until the storage migration.
  const here = { besides: app, env: { ...env, DATA_DIR: app.dataDir } };
  const nodes = [await startTestApp(here), await startTestApp(here)];
  apps.push(...nodes);
  const [first = app] = nodes;
  expect(first.context.storage.currentKind()).toBe("disk");

  let isOver = false;
  const results = { right: 0, wrong: [] as string[] };
  async function play(node: TestApp): Promise<void> {
    for (let n = 0; !isOver; n += 1) {
      const keys = [...videos.keys()];
      const key = keys[(n * 37) % keys.length] ?? "";
      const bytes = videos.get(key) ?? Buffer.alloc(0);
      const start = (n * 7919) % (bytes.length - 5000);
      const range = `bytes=${start}-${start + 4999}`;
      const response = await fetch(`${node.url}/media/${key}`, { headers: { range } });
      const body = Buffer.from(await response.arrayBuffer());
      const isRight = response.status === 206 && body.equals(bytes.subarray(start, start + 5000));
      if (isRight) results.right += 1;
      else results.wrong.push(`${response.status} ${key} ${range}`);
      // The copies need a share of the processor too.
      await wait(20);
    }
  }
  async function addOthers(): Promise<void> {
    while (!isOver) {
      const { media_token: added } = await makeVideo(app.db);
      const key = `v/${added}/step/play.mp4`;
      const bytes = randomBytes(30_000);
      await first.context.storage.putBytes(key, bytes);
      videos.set(key, bytes);
      await wait(500);
    }
  }
  const clients = Promise.all([...nodes.map(play), addOthers()]);
  try {
    // Interrupted in the middle, then run to completion.
    const cut = await move(app, env, "s3", () =>
      vi.waitFor(async () => expect(await countMoved(first)).toBeGreaterThan(20), patience),
    );
    expect([cut.code, cut.stderr, first.context.storage.currentKind()]).toEqual([null, "", "disk"]);
    const there = await move(app, env, "s3");
    expect(there.stderr).toBe("");
    expect(there.stdout).toContain("The media files of this site are now in the bucket.");
    for (const node of nodes) {
      await vi.waitFor(() => expect(node.context.storage.currentKind()).toBe("s3"), patience);
    }
    const s3 = first.context.s3;
    // A sample, because the command has compared all files.
    for (const [key, bytes] of [...videos].filter((_, index) => index % 20 === 0)) {
      expect(sha256((await s3?.readBytes(key, 1e9)) ?? Buffer.alloc(0))).toBe(sha256(bytes));
    }
    const back = await move(app, env, "disk");
    expect(back).toMatchObject({ code: 0, stderr: "" });
    const before = results.right;
    await vi.waitFor(() => expect(results.right).toBeGreaterThan(before + 20), patience);
  } finally {
    isOver = true;
    await clients;
  }
  expect(results.wrong).toEqual([]);
  expect(results.right).toBeGreaterThan(200);
  for (const [key, bytes] of videos) {
    const stored = await readFile(join(app.dataDir, "storage/objects", key));
    expect(sha256(stored)).toBe(sha256(bytes));
  }
  expect((await move(app, env, "disk")).stderr).toBe(
    "The media files of this site are already on disk.\n",
  );
}, 900_000);
