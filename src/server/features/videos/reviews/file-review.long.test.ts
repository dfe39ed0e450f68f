import { afterEach, expect, test, vi } from "vitest";
import { sql } from "kysely";
import { useTestApp, useClient } from "#test/app.ts";
import { encodeClip } from "#test/clip-cache.ts";
import { makeVideo, type VideoRow } from "#test/factories/make-video.ts";
import { setEdits, setMatrix } from "#test/mp4-edits.ts";
import { newId } from "#server/lib/ids.ts";
import { countedClip, readFrameNumbers } from "#server/media/pipeline/edited.fixture.ts";
import { sourceKey, standInKey, videoFolder } from "#server/storage/media-keys.ts";

const app = useTestApp({ logLevel: "silent" });
const admin = useClient(app);
afterEach(() => vi.restoreAllMocks());

/** Creates the clip of which an edit list shows the frames 10 to 19. */
const trimmed = async () =>
  setEdits("reviewed.mov", await countedClip(), () => [{ fromS: 1, lengthS: 1 }]);

/** Creates a published video as an older version left it. All its files are copies of `file`. */
async function addVideo(
  file: string,
  values: Parameters<typeof makeVideo>[1] = {},
): Promise<VideoRow> {
  const { storage } = app.context;
  const { id, media_token: token } = await makeVideo(app.database.db, { progress: 1 });
  const folder = videoFolder(token);
  const made = {
    progressive_key: `${folder}first/original.mp4`,
    hls_key: `${folder}second/hls/master.m3u8`,
    poster_key: `${folder}third/poster.jpg`,
    thumbnail_key: `${folder}third/w640.webp`,
    preview_key: `${folder}third/preview.mp4`,
    storyboard_key: `${folder}second/storyboard.vtt`,
  };
  for (const key of [...Object.values(made), `${folder}second/hls/v36.mp4`]) {
    await storage.putFile(key, file);
  }
  if (values.dropped_bytes === undefined) await storage.putFile(sourceKey(id), file);
  await app.database.db
    .updateTable("videos")
    .set({ ...made, source_key: sourceKey(id), source_bytes: 1, ...values })
    .where("id", "=", id)
    .execute();
  return readRow(id);
}

const readRow = (id: string) =>
  app.database.db.selectFrom("videos").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

/** Runs the jobs from the first file to the last. */
async function process(id: string): Promise<void> {
  for (const name of ["video.publish", "video.encode", "video.finish"] as const) {
    await app.runJob(name, { videoId: id });
  }
}

async function listFiles(row: VideoRow): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of app.context.storage.list(videoFolder(row.media_token)))
    keys.push(key);
  return keys.toSorted();
}

const listJobs = async (videoId: string) =>
  (
    await sql<{ name: string; priority: number }>`
      select name, priority from pgboss.job where data->>'videoId' = ${videoId}`.execute(
      app.database.db,
    )
  ).rows;

const readFrames = (key: string | null) =>
  app.context.storage.withLocalFile(key ?? "", (path) => readFrameNumbers(app.context.media, path));

const frames = Array.from({ length: 10 }, (_, i) => 10 + i);

test("withdraws files that contain what an edit list hides, and makes them again", async () => {
  const captions = (["upload", "file"] as const).map((origin) => ({
    ...{ id: origin, language: "en", name: origin, isDefault: false, isForced: false, origin },
    ...{ track: origin === "file" ? 2 : null, lineCount: 1, key: "" },
  }));
  const old = await addVideo(await trimmed());
  const folder = videoFolder(old.media_token);
  const own = `${folder}thumbnail-own/w640.webp`;
  const kept = { ...captions[0], key: `${folder}captions-a/captions.vtt` };
  const dropped = { ...captions[1], key: `${folder}captions-b/captions.vtt` };
  for (const key of [own, kept.key, dropped.key]) await app.context.storage.putBytes(key, "x");
  await app.database.db
    .updateTable("videos")
    .set({ thumbnail_key: own, captions: JSON.stringify([kept, dropped]) })
    .where("id", "=", old.id)
    .execute();
  const address = `${app.url}/media/${old.progressive_key}`;
  expect((await fetch(address)).status).toBe(200);

  await app.runJob("media.review");
  expect(await listFiles(old)).toEqual([kept.key, own].toSorted());
  expect((await fetch(address)).status).toBe(404);
  expect(await readRow(old.id)).toMatchObject({
    ...{ status: "processing", progress: 0, progressive_key: null, hls_key: null },
    ...{ poster_key: null, thumbnail_key: own, captions: [kept], is_published: true },
  });
  expect(await listJobs(old.id)).toMatchObject([{ name: "video.publish" }]);
  const { json } = await admin.call("GET", `/api/admin/audit?entityId=${old.id}`);
  expect(json.entries).toMatchObject([{ action: "video.withdrawn", userEmail: "Kinora" }]);

  await process(old.id);
  const row = await readRow(old.id);
  expect(row).toMatchObject({ status: "ready", progress: 1, thumbnail_key: own });
  expect(row.duration_s).toBeCloseTo(1, 1);
  expect(row.media_notices.join()).toContain("An edit list hides");
  expect(await readFrames(row.progressive_key)).toEqual(frames);
  const made = await listFiles(row);
  await app.runJob("media.review");
  expect(await listFiles(row)).toEqual(made);
});

test("cuts the former copy if the original was deleted, even if originals are retained", async () => {
  const sha = Buffer.alloc(32, 7);
  const dropped = { dropped_bytes: 4711, source_bytes: null, source_sha256: sha };
  const old = await addVideo(await trimmed(), dropped);
  await app.runJob("media.review");
  expect(await listFiles(old)).toEqual([]);
  await process(old.id);
  const row = await readRow(old.id);
  expect(await readFrames(row.progressive_key)).toEqual(frames);
  expect(await listJobs(old.id)).toContainEqual(
    expect.objectContaining({ name: "video.drop-original" }),
  );
  await app.runJob("video.drop-original", { videoId: old.id });
  expect(await app.context.storage.findStat(standInKey(old.id))).toBeNull();
  expect(await readRow(old.id)).toMatchObject(dropped);
});

test("deletes a copy that is longer than the ladder if the original was deleted", async () => {
  const { storage } = app.context;
  const add = async (durationS: number): Promise<VideoRow> => {
    const values = { dropped_bytes: 1, source_bytes: null, duration_s: durationS };
    const row = await addVideo(await countedClip(), values);
    const folder = `${videoFolder(row.media_token)}second/hls`;
    await storage.putBytes(row.hls_key ?? "", "#EXTM3U\n#EXT-X-STREAM-INF:A=1\nv36.m3u8\n");
    await storage.putBytes(
      `${folder}/v36.m3u8`,
      "#EXTM3U\n#EXTINF:4.000,\n#EXT-X-BYTERANGE:9@0\nv36.mp4\n",
    );
    const small = `${folder}/small.mp4`;
    await storage.putBytes(small, "small");
    await app.database.db
      .updateTable("videos")
      .set({ progressive_small_key: small })
      .where("id", "=", row.id)
      .execute();
    return readRow(row.id);
  };
  const [longer, same] = [await add(4.44), await add(4.1)];
  await app.runJob("media.review");
  expect(await readRow(longer.id)).toMatchObject({
    ...{ status: "ready", progressive_key: longer.progressive_small_key, duration_s: 4 },
    ...{ hls_key: longer.hls_key, needs_review: false },
  });
  expect(await storage.findStat(longer.progressive_key ?? "")).toBeNull();
  expect(await storage.findStat(longer.hls_key ?? "")).not.toBeNull();
  expect(await readRow(same.id)).toEqual({
    ...{ ...same, needs_review: false },
    updated_at: expect.any(Date),
  });
});

test("leaves no withdrawn file behind if it is interrupted", async () => {
  const old = await addVideo(await trimmed());
  vi.spyOn(app.context.storage, "delete").mockRejectedValueOnce(new Error("killed"));
  await app.runJob("media.review");
  expect((await readRow(old.id)).status).toBe("processing");
  expect(await listFiles(old)).not.toEqual([]);
  await app.runJob("maintenance.sweep");
  expect(await listFiles(old)).toEqual([]);
  expect(await listJobs(old.id)).toMatchObject([{ name: "video.publish" }]);
});

test("makes mirrored and HDR videos again while they play, behind new videos", async () => {
  const plain = await encodeClip("reviewed-plain.mp4", [
    ...["-f", "lavfi", "-i", "testsrc=s=64x36:r=10:d=1", "-c:v", "libx264"],
  ]);
  const mirror = [-0x10000, 0, 0, 0, 0x10000, 0, 0x400000, 0, 0x40000000];
  const mirrored = await addVideo(await setMatrix("reviewed-mirror.mp4", plain, mirror));
  const notice = "This is an HDR video. Renditions other than HDR are converted.";
  const hdr = await addVideo(plain, { media_notices: [notice] });
  const lost = await addVideo(plain, { media_notices: [notice], dropped_bytes: 1 });
  const usual = await addVideo(plain);
  await app.runJob("media.review");
  for (const old of [mirrored, hdr, lost, usual]) {
    expect(await readRow(old.id)).toMatchObject({
      ...{ status: "ready", progressive_key: old.progressive_key, needs_review: false },
    });
  }
  const { rows: renewals } = await sql<{ id: string; videoId: string }>`
    select id, video_id as "videoId" from video_replacements`.execute(app.database.db);
  expect(renewals.map(({ videoId }) => videoId).toSorted()).toEqual(
    [mirrored.id, hdr.id].toSorted(),
  );
  const renewal = renewals.find(({ videoId }) => videoId === mirrored.id)?.id ?? "";
  await process(renewal);
  const jobs = await listJobs(renewal);
  expect(jobs).toHaveLength(3);
  for (const { priority } of jobs) expect(priority).toBeLessThan(-900_000_000);
  const row = await readRow(mirrored.id);
  const { progressive_key: first, poster_key: poster, hls_key: hls } = mirrored;
  expect(row).toMatchObject({ status: "ready", progress: 1, needs_review: false });
  expect([first, poster, hls]).not.toContain(row.progressive_key);
  expect([row.poster_key, row.hls_key]).not.toEqual([poster, hls]);
});

test("waits until a new file of the video is in use", async () => {
  const old = await addVideo(await trimmed());
  const { db } = app.database;
  const by = { video_id: old.id, uploaded_by_email: "a@example.com", hls_key: old.hls_key };
  await db
    .insertInto("video_replacements")
    .values({ id: newId(), ...by })
    .execute();
  await app.runJob("media.review");
  expect(await readRow(old.id)).toMatchObject({ status: "ready", needs_review: true });
  await db
    .updateTable("video_replacements")
    .set({ switched_at: new Date() })
    .where("video_id", "=", old.id)
    .execute();
  await app.runJob("media.review");
  expect(await readRow(old.id)).toMatchObject({ status: "processing", progressive_key: null });
  // The switched row named a file of the video, too.
  expect(await listFiles(old)).toEqual([]);
});

test("reviews the other videos if one can't be read", async () => {
  const broken = await addVideo(await trimmed());
  const old = await addVideo(await trimmed());
  vi.spyOn(app.context.media, "probe").mockRejectedValueOnce(new Error("no memory"));
  await app.runJob("media.review");
  expect((await readRow(broken.id)).needs_review).toBe(true);
  expect((await readRow(old.id)).status).toBe("processing");
});
