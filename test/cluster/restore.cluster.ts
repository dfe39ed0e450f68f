import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withDatabase } from "#server/commands/command.ts";
import { readConfig } from "#server/config.ts";
import { toConnectionString } from "#server/db/connection.ts";
import { createLocalStorage } from "#server/storage/local.storage.ts";
import { createClient } from "../app.ts";
import { createEmptyDatabase, type TestDatabase } from "../database.ts";
import { makeVideo } from "../factories/make-video.ts";
import { startPostgres, type Postgres } from "../harness/postgres.ts";
import { root, startSite, type Site } from "../harness/server-process.ts";
import { makeServiceRoot } from "../harness/service-folder.ts";
import { hashMedia, hashTables, sha256 } from "../site-content.ts";

/** Location of a site's rows and files. */
type Place = { DATA_DIR: string; DATABASE_URL?: string };

let folder: string;
let postgres15: Postgres;
let postgres18: TestDatabase;
let source: Place;
let cookie: string;
const slugs: string[] = [];
const media = new Map<string, Buffer>();
/** Likes of the first video. Each location has added one. */
let likes = 0;

const run = promisify(execFile);
const admin = (place: Place, ...args: string[]) =>
  run(process.execPath, ["src/server/admin-cli.ts", ...args], {
    cwd: root,
    env: { ...process.env, ...place },
  });
const newDataDir = () => mkdtemp(join(tmpdir(), "kinora-restore-"));
const start = (place: Place): Promise<Site> => startSite({ dataDir: place.DATA_DIR, env: place });

async function hashSite(place: Place) {
  const options = { isMigrated: true, maxConnections: 1 };
  const rows = await withDatabase(readConfig(place), options, ({ db }) => hashTables(db));
  const storage = createLocalStorage({ root: join(place.DATA_DIR, "storage") });
  return { rows, media: await hashMedia(storage) };
}

beforeAll(async () => {
  folder = await makeServiceRoot("restore");
  postgres15 = await startPostgres(join(folder, "postgres"));
  postgres18 = await createEmptyDatabase();
  source = { DATA_DIR: await newDataDir() };
  const site = await start(source);
  cookie = await site.signIn();
  await site.stop();
  const options = { isMigrated: true, maxConnections: 2 };
  const storage = createLocalStorage({ root: join(source.DATA_DIR, "storage") });
  await withDatabase(readConfig(source), options, async ({ db }) => {
    for (let n = 0; n < 20; n += 1) {
      const path = `public/restore/${n}.mp4`;
      const { slug } = await makeVideo(db, { title: `Straße 東京 🎬 ${n}` });
      const bytes = randomBytes(200_000 + n);
      await storage.putBytes(path, bytes);
      media.set(path, bytes);
      slugs.push(slug);
    }
  });
});
afterAll(async () => {
  await postgres18.drop();
  await postgres15.daemon.stop("SIGINT");
  await rm(folder, { recursive: true, force: true });
});

/**
 * Restores the last site's backup at another location and compares rows and files.
 * @returns the number of links and files that the new site serves like the old one.
 */
async function moveTo(place: Place): Promise<{ links: number; files: number }> {
  const file = join(folder, `${randomBytes(6).toString("hex")}.backup`);
  // The command notes the backup in the audit log after its snapshot.
  const before = await hashSite(source);
  await admin(source, "backup", file);
  await rm(source.DATA_DIR, { recursive: true });
  expect(before.media.size).toBe(media.size);
  expect(before.rows["videos"]).toMatch(/^20 /);

  await admin(place, "restore", file);
  expect(await hashSite(place)).toEqual(before);

  const site = await start(place);
  try {
    const me = await createClient(site.url, cookie).call("GET", "/api/auth/session");
    expect(me.json).toMatchObject({ user: { role: "ADMIN" } });
    const visitor = createClient(site.url);
    let [links, files] = [0, 0];
    for (const slug of slugs) {
      if ((await fetch(`${site.url}/video/${slug}`)).status === 200) links += 1;
    }
    for (const [path, bytes] of media) {
      const response = await fetch(`${site.url}/media/${path}`);
      const body = new Uint8Array(await response.arrayBuffer());
      if (sha256(body) === sha256(bytes)) files += 1;
    }
    likes += 1;
    const like = await visitor.call("POST", `/api/videos/${slugs[0]}/like`);
    expect(like.json).toEqual({ liked: true, likesCount: likes });
    expect((await createClient(site.url, cookie).call("GET", "/api/videos")).json.total).toBe(20);
    source = place;
    return { links, files };
  } finally {
    await site.stop();
  }
}

test("moves a site between the embedded PostgreSQL and external versions 15 and 18", async () => {
  for (const url of [postgres15.url, toConnectionString(postgres18.target), undefined]) {
    const place = {
      DATA_DIR: await newDataDir(),
      ...(url === undefined ? {} : { DATABASE_URL: url }),
    };
    expect(await moveTo(place)).toEqual({ links: slugs.length, files: media.size });
  }
  await rm(source.DATA_DIR, { recursive: true });
});
