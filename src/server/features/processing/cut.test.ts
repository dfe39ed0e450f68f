import { describe, expect, it } from "vitest";
import { captionLimits } from "#contract/videos/captions.ts";
import type { CutBody } from "#contract/videos/cut.ts";
import { createClient, useClient, useTestApp } from "#test/app.ts";
import { changeVideo, makeVideo, readVideo, type VideoRow } from "#test/factories/make-video.ts";
import { createCaptionFiles } from "#server/features/captions/caption-files.ts";
import { createCaptionsService } from "#server/features/captions/captions.service.ts";
import { createProcessingStateService } from "#server/features/videos/processing-state/processing-state.service.ts";
import { createReplacementsService } from "#server/features/videos/replacements/replacements.service.ts";
import { createStoredFiles } from "#server/features/videos/files/stored-files.service.ts";
import { sourceKey, standInKey, videoFolder } from "#server/storage/media-keys.ts";

const app = useTestApp({ logLevel: "silent" });
const admin = useClient(app);

const half = [{ startS: 0, endS: 30 }];
const middle = [
  { startS: 10, endS: 20 },
  { startS: 40, endS: 60 },
];

async function addVideo(values: Parameters<typeof makeVideo>[1] = {}): Promise<VideoRow> {
  const row = await makeVideo(app.db, { progress: 1, duration_s: 60, ...values });
  await app.context.storage.putBytes(sourceKey(row.id), "the original");
  await changeVideo(app.db, row.id, {
    source_key: sourceKey(row.id),
    source_bytes: 12,
    progressive_key: `${videoFolder(row.media_token)}first/play.mp4`,
  });
  return readVideo(app.db, row.id);
}

const statusOf = ({ status }: { status: number }): number => status;
const pathOf = ({ id }: { id: string }) => `/api/admin/videos/${id}/cut`;
const cut = (row: VideoRow, body: Partial<CutBody> = {}) =>
  admin.call("PUT", pathOf(row), { parts: half, target: "video", version: row.version, ...body });

const openReplacement = (row: VideoRow) =>
  app.db
    .selectFrom("video_replacements")
    .selectAll()
    .where("video_id", "=", row.id)
    .where("switched_at", "is", null)
    .executeTakeFirstOrThrow();

/** Switches to the files of a cut as if they had been made. */
async function finish(row: VideoRow, durationS: number): Promise<VideoRow> {
  const { context, db } = app;
  const { id } = await openReplacement(row);
  await db
    .updateTable("video_replacements")
    .set({ status: "ready", progress: 1, duration_s: durationS })
    .where("id", "=", id)
    .execute();
  const state = createProcessingStateService(context);
  const next = await state.find(id);
  if (next === null) throw new Error("nothing is processed");
  const files = createCaptionFiles(context.storage);
  const captions = createCaptionsService({
    ...context,
    files,
    storedFiles: createStoredFiles(context),
  });
  const newParts = next.changesCut ? next.keptParts : undefined;
  await createReplacementsService(context).complete(next, {
    storedBytes: 1,
    master: (hlsKey) => captions.writeMaster(row.id, { hlsKey, durationS, newParts }),
  });
  return readVideo(db, row.id);
}

const addCaptions = async (row: VideoRow, seconds: number[]) => {
  const two = (value: number) => String(value).padStart(2, "0");
  const lines = seconds.map(
    (at, i) => `${i + 1}\n00:00:${two(at)},000 --> 00:00:${two(at + 5)},000\nline ${at}\n`,
  );
  await fetch(`${app.url}/api/admin/videos/${row.id}/captions?language=en`, {
    method: "POST",
    headers: { cookie: await app.signIn(), origin: app.url, "content-type": "text/plain" },
    body: lines.join("\n"),
  });
};

async function readLines(row: VideoRow): Promise<[string, number, number][]> {
  const { captions } = await readVideo(app.db, row.id);
  const files = createCaptionFiles(app.context.storage);
  const [first] = captions;
  if (first === undefined) return [];
  return (await files.read(first)).map(({ text, startMs, endMs }) => [text, startMs, endMs]);
}

describe("a cut", () => {
  it("says what it would drop, and changes nothing", async () => {
    const row = await addVideo({
      description: "0:00 Start\n0:35 End",
      midroll_times: [15, 30],
    });
    await addCaptions(row, [5, 15, 18, 30, 45]);
    const { status, json } = await cut(row, { parts: middle, dryRun: true });
    expect(status).toBe(200);
    expect(json).toEqual({
      effect: {
        durationS: 30,
        // The lines at 5 and 30 s. The one at 18 s loses its end.
        ...{ captionLines: 2, chapters: [], midrollTimes: [30], comments: 0 },
      },
      videoId: null,
    });
    expect((await admin.call("GET", pathOf(row))).json).toMatchObject({
      ...{ problem: null, partCount: null, canUndo: false, undoUntil: null },
    });
  });

  it.each([
    [[], "at least one"],
    [[{ startS: 30, endS: 10 }], "at least 0.1 s long"],
    [[{ startS: 0, endS: 61 }], "ends after the video"],
    [[{ startS: 0, endS: 60 }], "Nothing is removed"],
  ])("refuses the parts %j", async (parts, message) => {
    const answer = await cut(await addVideo(), { parts });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.json)).toContain(message);
  });

  it("queues all files again, while the video plays on", async () => {
    const row = await addVideo({ views: 7 });
    expect((await cut(row, { parts: middle })).json.videoId).toBe(row.id);
    expect(await openReplacement(row)).toMatchObject({
      ...{ is_renewal: true, changes_cut: true, status: "processing", kept_parts: middle },
      loudness: null,
    });
    expect(await readVideo(app.db, row.id)).toEqual(row);
    const { json } = await admin.call("GET", pathOf(row));
    expect(json.problem).toContain("is being reprocessed");
    // A second editor can't cut it at the same time.
    const other = await cut(row);
    expect([other.status, other.json.code]).toEqual([409, "conflict"]);
  });

  it("refuses a version that someone else has changed", async () => {
    const row = await addVideo();
    await admin.call("PUT", `/api/videos/${row.id}`, { title: "Changed" });
    for (const dryRun of [true, false]) {
      const { status, json } = await cut(row, { dryRun });
      expect([status, json.code]).toEqual([409, "edit_conflict"]);
      expect(json.message).toContain("Someone else changed this video");
    }
    const drafted = await cut(row, { target: "draft" });
    expect(drafted.json.code).toBe("edit_conflict");
  });

  it("refuses parts of a file that was replaced since", async () => {
    const row = await addVideo();
    const id = crypto.randomUUID();
    await app.context.storage.putBytes(sourceKey(id), "the new file");
    await createReplacementsService(app.context).begin(row.id, {
      ...{ id, durationS: 50, width: 640, height: 360 },
      source: { key: sourceKey(id), sizeBytes: 12, sha256: Buffer.alloc(32) },
      actor: { user: { id: null, email: "test@example.com" }, requestId: "test" },
    });
    await finish(row, 50);
    const { status, json } = await cut(row);
    expect([status, json.code]).toEqual([409, "edit_conflict"]);
  });

  it("lets only one of two simultaneous cuts through", async () => {
    const row = await addVideo();
    const both = await Promise.all([cut(row), cut(row, { parts: middle })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  it("moves captions, chapters, mid-rolls and comments at the switch, and back when undone", async () => {
    const row = await addVideo({
      views: 7,
      likes: 3,
      description: "0:00 Start\n0:45 Harbor",
      midroll_times: [15, 30, 50],
    });
    await addCaptions(row, [5, 15, 18, 45]);
    const before = await readLines(row);
    await app.db
      .insertInto("comments")
      .values({
        ...{ id: crypto.randomUUID(), video_id: row.id, visitor_id: crypto.randomUUID() },
        ...{ name: null, text: "0：45 is great", state: "shown", address_key: "a" },
      })
      .execute();
    const commentOf = async () =>
      (
        await app.db
          .selectFrom("comments")
          .select("text")
          .where("video_id", "=", row.id)
          .executeTakeFirst()
      )?.text;

    await cut(row, { parts: middle });
    const after = await finish(row, 30);
    expect(after).toMatchObject({
      ...{ slug: row.slug, views: 7, likes: 3, duration_s: 30, kept_parts: middle },
      ...{ description: "0:00 Start\n0:15 Harbor", midroll_times: [5, 20] },
      version: row.version + 1,
      timing_since: after.cut_at,
    });
    expect(await readLines(row)).toEqual([
      ["line 15", 5000, 10_000],
      ["line 18", 8000, 13_000 - 3000],
      ["line 45", 15_000, 20_000],
    ]);
    expect(await commentOf()).toBe("0:15 is great");
    const { json: state } = await admin.call("GET", pathOf(row));
    expect(state).toMatchObject({ problem: null, partCount: 2, canUndo: true, undoDays: null });

    const undo = await admin.call("DELETE", `${pathOf(row)}?version=${after.version}`);
    expect(undo.status).toBe(200);
    expect(await openReplacement(row)).toMatchObject({ changes_cut: true, kept_parts: null });
    const undone = await finish(row, 60);
    expect(undone).toMatchObject({
      ...{ duration_s: 60, kept_parts: null, before_cut: null, cut_at: null },
      ...{ description: row.description, midroll_times: [15, 30, 50] },
    });
    expect(undone.timing_since?.getTime()).toBeGreaterThan(after.timing_since?.getTime() ?? 0);
    expect(await readLines(row)).toEqual(before);
    expect(await commentOf()).toBe("0：45 is great");
    expect((await admin.call("DELETE", pathOf(row))).status).toBe(409);
    const { json: log } = await admin.call("GET", `/api/admin/audit?entityId=${row.id}`);
    const actions = log.entries.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(expect.arrayContaining(["video.cut", "video.cut-undone"]));
  });

  it("restores as many caption tracks as a video can have", async () => {
    const row = await addVideo();
    await addCaptions(row, [25]);
    await cut(row, { parts: middle });
    const after = await finish(row, 30);
    expect(after.captions).toEqual([]);
    // All places are taken in the meantime.
    await addCaptions(row, [5]);
    const [track] = (await readVideo(app.db, row.id)).captions;
    const captions = Array.from({ length: captionLimits.maxTracks }, (_, at) => ({
      ...track,
      id: String(at),
    }));
    await changeVideo(app.db, row.id, { captions: JSON.stringify(captions) });
    await admin.call("DELETE", `${pathOf(row)}?version=${after.version}`);
    expect((await finish(row, 60)).captions).toHaveLength(captionLimits.maxTracks);
  });

  it("moves the passages of clips along, also in the trash, and back when undone", async () => {
    const row = await addVideo();
    const plan = { framing: { kind: "blur" }, captionId: null, thumbnailS: 24 };
    const addClip = (startS: number, endS: number, clipPlan: object | null = null) =>
      makeVideo(app.db, {
        ...{ clip_of: row.id, clip_start_s: startS, clip_end_s: endS },
        clip_plan: clipPlan === null ? null : JSON.stringify(clipPlan),
      });
    const kept = await addClip(42, 52);
    const removed = await addClip(22, 30, plan);
    const trashed = await addClip(15, 30);
    const trashedPlan = await addClip(22, 30, plan);
    const clips = [kept, removed, trashed, trashedPlan];
    const pick = ({ clip_start_s, clip_end_s, clip_plan }: VideoRow) => [
      clip_start_s,
      clip_end_s,
      clip_plan?.thumbnailS,
    ];
    const passages = async () =>
      Promise.all(clips.map(async ({ id }) => pick(await readVideo(app.db, id))));
    const remove = ({ id }: VideoRow) => admin.call("DELETE", `/api/videos/${id}`);
    const restore = ({ id }: VideoRow) => admin.call("POST", `/api/admin/trash/${id}/restore`);
    await Promise.all([remove(trashed), remove(trashedPlan)]);
    await cut(row, { parts: middle });
    const after = await finish(row, 30);
    expect((await Promise.all([restore(trashed), restore(trashedPlan)])).map(statusOf)).toEqual([
      200, 200,
    ]);
    expect(await passages()).toEqual([
      [12, 22, undefined],
      [10, 10, 10],
      [5, 10, undefined],
      [10, 10, 10],
    ]);
    await remove(trashed);
    await admin.call("DELETE", `${pathOf(row)}?version=${after.version}`);
    await finish(row, 60);
    await restore(trashed);
    expect(await passages()).toEqual(clips.map(pick));
  });

  it("can be cancelled", async () => {
    const row = await addVideo();
    await cut(row);
    expect((await admin.call("DELETE", `/api/admin/videos/${row.id}/file`)).status).toBe(200);
    expect((await admin.call("GET", pathOf(row))).json).toMatchObject({
      ...{ problem: null, partCount: null },
    });
    expect((await cut(row)).status).toBe(200);
  });

  it("is made from the best rendition if the original is gone, for the days of the trash", async () => {
    const row = await addVideo();
    const { storage } = app.context;
    const copy = `${videoFolder(row.media_token)}first/original.mp4`;
    await storage.putBytes(copy, "the copy");
    await storage.delete(sourceKey(row.id));
    await changeVideo(app.db, row.id, {
      ...{ dropped_bytes: 12, source_bytes: null, progressive_key: copy },
      source_sha256: Buffer.alloc(32),
    });
    const { json: state } = await admin.call("GET", pathOf(row));
    expect(state).toMatchObject({ problem: null, isFromRendition: true, undoDays: 30 });
    expect((await cut(row)).status).toBe(200);
    const standIn = await readVideo(app.db, row.id);
    const bytes = await storage.readBytes(standIn.source_key ?? "", 100);
    expect([bytes.toString(), standIn.source_bytes]).toEqual(["the copy", 8]);
    const after = await finish(row, 30);
    const { json: cutState } = await admin.call("GET", pathOf(row));
    expect(cutState).toMatchObject({ canUndo: true });
    const days = (Date.parse(cutState.undoUntil) - (after.cut_at?.getTime() ?? 0)) / 86_400_000;
    expect(days).toBe(30);
    // The rendition stays as long as the cut can be undone.
    await app.runJob("video.drop-original", { videoId: row.id });
    expect(await storage.findStat(standIn.source_key ?? "")).not.toBeNull();
    await changeVideo(app.db, row.id, { cut_at: new Date(0), hls_key: "v/x/y/hls/master.m3u8" });
    await app.runJob("video.drop-original", { videoId: row.id });
    expect(await storage.findStat(standIn.source_key ?? "")).toBeNull();
    expect(await readVideo(app.db, row.id)).toMatchObject({
      ...{ kept_parts: null, cut_at: null, before_cut: null, duration_s: 30 },
    });
  });

  it.each(["video", "draft"] as const)(
    "of a cut video whose original got lost counts in the times of its rendition (%s)",
    async (target) => {
      const row = await addVideo();
      const { storage } = app.context;
      const copy = `${videoFolder(row.media_token)}first/original.mp4`;
      await storage.putBytes(copy, "the copy");
      await storage.delete(sourceKey(row.id));
      await changeVideo(app.db, row.id, {
        ...{ progressive_key: copy, duration_s: 20, cut_at: new Date() },
        kept_parts: JSON.stringify([{ startS: 30, endS: 50 }]),
      });
      const { json } = await cut(row, { parts: [{ startS: 5, endS: 15 }], target });
      expect(await readVideo(app.db, row.id)).toMatchObject({ kept_parts: null, cut_at: null });
      const made =
        target === "video" ? await openReplacement(row) : await readVideo(app.db, json.videoId);
      expect(made.kept_parts).toEqual([{ startS: 5, endS: 15 }]);
    },
  );

  it("is refused without any file to make it from", async () => {
    const row = await addVideo();
    await changeVideo(app.db, row.id, {
      ...{ dropped_bytes: 12, source_bytes: null, progressive_key: null },
    });
    expect((await admin.call("GET", pathOf(row))).json.problem).toContain("Neither the original");
    const { status, json } = await cut(row);
    expect([status, json.code]).toEqual([409, "conflict"]);
  });
});

describe("a draft of parts", () => {
  it("leaves the video alone and has its own source, restrictions and captions", async () => {
    const row = await addVideo({
      ...{ is_sensitive: true, blocked_countries: ["DE"], is_premium: true, midroll_times: [15] },
      ...{ visibility: "unlisted", description: "At 0:45" },
    });
    await addCaptions(row, [15]);
    const video = await readVideo(app.db, row.id);
    const { json } = await cut(video, { parts: middle, target: "draft" });
    const draft = await readVideo(app.db, json.videoId);
    expect(draft).toMatchObject({
      ...{ title: `${row.title} (cut)`, is_published: false, status: "processing" },
      ...{ is_sensitive: true, blocked_countries: ["DE"], is_premium: true, views: 0 },
      ...{ visibility: "unlisted", kept_parts: middle, midroll_times: [5], duration_s: 30 },
      description: "At 0:15",
    });
    expect(draft.captions.map(({ lineCount }) => lineCount)).toEqual([1]);
    expect(await readVideo(app.db, row.id)).toEqual(video);
    await admin.call("DELETE", `/api/videos/${row.id}`);
    const source = await app.context.storage.readBytes(draft.source_key ?? "", 100);
    expect(source.toString()).toBe("the original");
  });

  it("is refused until the captions of the video's file have been added", async () => {
    const row = await addVideo({ progress: 0.5 });
    const { status, json } = await cut(row, { target: "draft" });
    expect([status, json.code]).toEqual([409, "conflict"]);
    await changeVideo(app.db, row.id, { progress: 1 });
    expect((await cut(row, { target: "draft" })).status).toBe(200);
  });

  it("is made from the rendition that took the original's place, if that was cut", async () => {
    const row = await addVideo();
    const { storage } = app.context;
    await storage.putBytes(standInKey(row.id), "the rendition in place");
    await storage.putBytes(row.progressive_key ?? "", "the cut rendition");
    await changeVideo(app.db, row.id, {
      ...{ source_key: standInKey(row.id), source_bytes: 22, dropped_bytes: 12 },
      ...{ source_sha256: Buffer.alloc(32), duration_s: 20, cut_at: new Date() },
      kept_parts: JSON.stringify([{ startS: 30, endS: 50 }]),
    });
    const { json } = await cut(row, { parts: [{ startS: 5, endS: 15 }], target: "draft" });
    const draft = await readVideo(app.db, json.videoId);
    const source = await storage.readBytes(draft.source_key ?? "", 100);
    expect(source.toString()).toBe("the rendition in place");
    expect(draft).toMatchObject({
      ...{ kept_parts: [{ startS: 35, endS: 45 }], source_sha256: null },
    });
  });

  it("takes over what the long video of a clip restricts", async () => {
    const long = await makeVideo(app.db, {
      ...{ visibility: "unlisted", is_sensitive: true, blocked_countries: ["DE"] },
    });
    const clip = await addVideo({ clip_of: long.id, blocked_countries: ["DE", "FR"] });
    const { json } = await cut(clip, { parts: middle, target: "draft" });
    expect(await readVideo(app.db, json.videoId)).toMatchObject({
      ...{ clip_of: null, visibility: "unlisted", is_sensitive: true },
      blocked_countries: ["DE", "FR"],
    });
  });
});

it("is for editors only", async () => {
  const row = await addVideo();
  const visitor = createClient(app.url);
  for (const method of ["GET", "PUT", "DELETE"]) {
    expect((await visitor.call(method, pathOf(row))).status).toBe(401);
  }
});

it("returns 404 for a video that doesn't exist", async () => {
  expect((await admin.call("GET", pathOf({ id: crypto.randomUUID() }))).status).toBe(404);
});
