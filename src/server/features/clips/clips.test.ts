import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createClient, useTestApp } from "#test/app.ts";
import { makeActor, makeTag } from "#test/factories/make-label.ts";
import { changeVideo, makeVideo, readVideo } from "#test/factories/make-video.ts";
import { sourceKey } from "#server/storage/media-keys.ts";
import { suggestChapters, suggestReplays } from "./clips.service.ts";

let nowMs = Date.parse("2026-05-01T10:00:00Z");
const clock = { now: () => nowMs, date: () => new Date(nowMs) };
const app = useTestApp({ clock });

const signedIn = async () => createClient(app.url, await app.signIn());
const passage = {
  startS: 10,
  endS: 25,
  title: "Best part",
  framing: { kind: "crop", window: { from: { x: 0.5, y: 0.5 } } },
};
const post = async (id: string, clips: object[], more: object = {}) =>
  (await signedIn()).call("POST", `/api/videos/${id}/clips`, { clips, ...more });

describe("making clips", () => {
  it("creates drafts with the labels of the long video, and queues their encodes", async () => {
    const [tag, actor] = [await makeTag(app.db), await makeActor(app.db)];
    const labels = { tagIds: [tag.id], actorIds: [actor.id] };
    const long = await makeVideo(app.db, { is_premium: true }, labels);
    const { status, json } = await post(long.id, [passage, { ...passage, startS: 40, endS: 50 }]);
    expect(status).toBe(201);
    expect(json.videos).toHaveLength(2);
    const [clip] = json.videos;
    expect(clip).toMatchObject({
      ...{ title: "Best part", isPublished: false, isPremium: false, status: "processing" },
      tags: [{ tag: { id: tag.id } }],
      actors: [{ actor: { id: actor.id } }],
      clipOf: { id: long.id, title: long.title, startS: 10, endS: 25 },
    });
    expect((await createClient(app.url).call("GET", `/api/videos/${clip.id}`)).status).toBe(404);
    const { rows } = await sql<{ id: string }>`
      select data ->> 'videoId' as id from pgboss.job where name = 'video.clip'`.execute(app.db);
    expect(rows.map(({ id }) => id)).toContain(clip.id);
    const audit = await sql<{ after: object }>`
      select after from audit_log where entity_id = ${clip.id}`.execute(app.db);
    expect(audit.rows[0]?.after).toMatchObject({ from: long.title, startS: 10, endS: 25 });
  });

  it.each([
    ["too short", { endS: 12.9 }, "A clip must be 3 to 90 seconds long"],
    ["too long", { startS: 0, endS: 90.01 }, "A clip must be 3 to 90 seconds long"],
    ["after the end", { startS: 50, endS: 61 }, "The clip ends after the video"],
    ["without a title", { title: " " }, "Title is required"],
    ["a thumbnail outside", { thumbnailS: 30 }, "The thumbnail must be in the clip"],
    ["unknown captions", { captionId: "none" }, "These captions no longer exist"],
    [
      "a window outside",
      { framing: { kind: "crop", window: { from: { x: 1.1, y: 0 } } } },
      "at most 1",
    ],
    [
      "a move backwards",
      {
        framing: {
          kind: "crop",
          window: { from: { x: 0, y: 0 }, move: { to: { x: 1, y: 0 }, startS: 5, endS: 4 } },
        },
      },
      "The move must end after it starts",
    ],
  ])("refuses a clip that is wrong: %s", async (_, change, message) => {
    const long = await makeVideo(app.db, { duration_s: 60 });
    const { status, json } = await post(long.id, [passage, { ...passage, ...change }]);
    expect(status).toBe(400);
    expect(JSON.stringify(json.issues)).toContain(message);
    // The first one isn't created either.
    const { rows } = await sql`select from videos where clip_of = ${long.id}`.execute(app.db);
    expect(rows).toEqual([]);
  });

  it("ends a clip with the video and keeps its length if the duration was rounded", async () => {
    const long = await makeVideo(app.db, { duration_s: 60 });
    const { json } = await post(long.id, [{ ...passage, startS: 57.04, endS: 60.04 }]);
    expect(json.videos[0].clipOf).toMatchObject({ startS: 57, endS: 60 });
    const short = await makeVideo(app.db, { duration_s: 2.97 });
    expect((await post(short.id, [{ ...passage, startS: 0, endS: 3 }])).status).toBe(400);
  });

  it("refuses clips of clips and of videos that don't play yet", async () => {
    const long = await makeVideo(app.db);
    const clip = await makeVideo(app.db, { clip_of: long.id });
    expect((await post(clip.id, [passage])).json.message).toContain("This video is a clip");
    const unready = await makeVideo(app.db, { status: "processing", is_published: false });
    expect((await post(unready.id, [passage])).status).toBe(409);
  });

  it("refuses passages of a file that no longer plays", async () => {
    const long = await makeVideo(app.db);
    const setFile = (step: string) =>
      changeVideo(app.db, long.id, { progressive_key: `v/${long.media_token}/${step}/play.mp4` });
    await setFile("first");
    const videoUrl = `/media/ticket/abc/v/${long.media_token}/first/play.mp4`;
    expect((await post(long.id, [passage], { videoUrl })).status).toBe(201);
    // An edit of texts doesn't matter.
    await (await signedIn()).call("PUT", `/api/videos/${long.id}`, { title: "Renamed" });
    expect((await post(long.id, [passage], { videoUrl })).status).toBe(201);
    await setFile("cut");
    const { status, json } = await post(long.id, [passage], { videoUrl });
    expect([status, json.code]).toEqual([409, "edit_conflict"]);
    expect((await post(long.id, [passage])).status).toBe(201);
  });

  it("fails if the captions it was to show were deleted", async () => {
    const caption = {
      ...{ id: "a", language: "en", name: "English", isDefault: false, isForced: false },
      ...{ origin: "upload", track: null, lineCount: 1, key: "captions.vtt" },
    };
    const long = await makeVideo(app.db, { captions: JSON.stringify([caption]) });
    await app.context.storage.putBytes(sourceKey(long.id), "the original");
    const { json } = await post(long.id, [{ ...passage, captionId: "a" }]);
    const [clip] = json.videos;
    await changeVideo(app.db, long.id, { captions: "[]" });
    await app.runJob("video.clip", { videoId: clip.id, waits: 0 });
    expect((await readVideo(app.db, clip.id)).failure_reason).toMatch(
      /^The captions chosen for this clip no longer exist\..*once more/,
    );
  });

  it("creates one clip for a repeated press", async () => {
    const long = await makeVideo(app.db);
    const admin = await signedIn();
    const press = () =>
      admin.call(
        "POST",
        `/api/videos/${long.id}/clips`,
        { clips: [passage] },
        { "idempotency-key": "press-0123456789abcdef" },
      );
    const [first, second] = await Promise.all([press(), press()]);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.json.videos[0].id).toBe(first.json.videos[0].id);
    const { rows } = await sql`select from videos where clip_of = ${long.id}`.execute(app.db);
    expect(rows).toHaveLength(1);
  });
});

describe("the clips of a video", () => {
  it("lists published ones in order, and drops the cached list when one changes", async () => {
    const admin = await signedIn();
    const long = await makeVideo(app.db);
    const make = (startS: number) =>
      makeVideo(app.db, { clip_of: long.id, clip_start_s: startS, clip_end_s: startS + 5 });
    const late = await make(30);
    const early = await make(5);
    const list = async () =>
      (await (await fetch(`${app.url}/api/videos/${long.slug}/clips`)).json()).map(
        ({ id }: { id: string }) => id,
      );
    expect(await list()).toEqual([early.id, late.id]);
    await admin.call("PUT", `/api/videos/${early.id}`, { isPublished: false });
    expect(await list()).toEqual([late.id]);
    await admin.call("PUT", `/api/videos/${early.id}`, { isPublished: true });
    expect(await list()).toEqual([early.id, late.id]);
  });

  it("follows a new address of the long video", async () => {
    const admin = await signedIn();
    const long = await makeVideo(app.db);
    const clip = await makeVideo(app.db, { clip_of: long.id, clip_start_s: 3, clip_end_s: 9 });
    const shownSlug = async () =>
      (await (await fetch(`${app.url}/api/videos/${clip.slug}`)).json()).clipOf.slug;
    expect(await shownSlug()).toBe(long.slug);
    await admin.call("PUT", `/api/videos/${long.id}`, { slug: `${long.slug}-renamed` });
    expect(await shownSlug()).toBe(`${long.slug}-renamed`);
  });
});

const asBrowser = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0" };

describe("viewers that a clip brings", () => {
  it("counts a visitor once a day, and only after playing the clip", async () => {
    const long = await makeVideo(app.db);
    const clip = await makeVideo(app.db, { clip_of: long.id, clip_start_s: 3, clip_end_s: 9 });
    const brought = async () => {
      const { json } = await (await signedIn()).call("GET", `/api/admin/videos/${long.id}/clips`);
      return json.clips.find(({ id }: { id: string }) => id === clip.id).broughtViewers;
    };
    const watch = (client: ReturnType<typeof createClient>, id: string, origin: string) =>
      client.call(
        "POST",
        `/api/videos/${id}/watch`,
        { watchTime: 0, completed: false, origin },
        asBrowser,
      );
    const [viewer, direct, late] = [0, 1, 2].map(() => createClient(app.url));
    if (viewer === undefined || direct === undefined || late === undefined) throw new Error();

    await watch(direct, long.id, "feed");
    expect(await brought()).toBe(0);
    await watch(viewer, clip.id, "feed");
    await watch(viewer, long.id, "feed");
    expect(await brought()).toBe(1);
    // A second view on the same day.
    nowMs += 31 * 60_000;
    await watch(viewer, clip.id, "feed");
    await watch(viewer, long.id, "feed");
    expect(await brought()).toBe(1);
    // From elsewhere.
    await watch(late, clip.id, "feed");
    await watch(late, long.id, "external");
    expect(await brought()).toBe(1);
    nowMs += 24 * 3_600_000;
    await watch(viewer, clip.id, "feed");
    const again = await watch(viewer, long.id, "related");
    expect([again.json.counted, await brought()]).toEqual([true, 2]);
  });

  it("leaves bots and visitors who opted out uncounted", async () => {
    const long = await makeVideo(app.db);
    const clip = await makeVideo(app.db, { clip_of: long.id, clip_start_s: 3, clip_end_s: 9 });
    const body = { watchTime: 0, completed: false, origin: "feed" };
    const asBot = { "user-agent": "Googlebot/2.1" };
    const optedOut = { ...asBrowser, "sec-gpc": "1" };
    for (const headers of [asBot, optedOut]) {
      const visitor = createClient(app.url);
      for (const { id } of [clip, long]) {
        await visitor.call("POST", `/api/videos/${id}/watch`, body, headers);
      }
    }
    const { rows } = await sql`
      select from video_sources where video_id = ${long.id} and kind = 'clip'`.execute(app.db);
    expect(rows).toEqual([]);
    expect((await readVideo(app.db, long.id)).clip_of).toBeNull();
  });
});

describe("suggestions", () => {
  it("suggests chapters up to the longest clip", () => {
    const chapters = [0, 2, 20, 200].map((startS) => ({ startS, title: `At ${startS}` }));
    expect(suggestChapters(chapters, 210)).toEqual([
      { startS: 2, endS: 20, kind: "chapter", title: "At 2" },
      { startS: 20, endS: 110, kind: "chapter", title: "At 20" },
      { startS: 200, endS: 210, kind: "chapter", title: "At 200" },
    ]);
  });

  it("lists all chapters of a video", async () => {
    const chapters = Array.from({ length: 45 }, (_, at) => `${at}:00 Part ${at}`);
    const values = { duration_s: 2700, description: chapters.join("\n") };
    const { id } = await makeVideo(app.db, values);
    const admin = await signedIn();
    const { json } = await admin.call("GET", `/api/admin/videos/${id}/clips`);
    expect(json.suggestions).toHaveLength(45);
    expect(json.suggestions[44]).toMatchObject({ startS: 2640, title: "Part 44" });
  });

  it("suggests the passages that were replayed most, once each", () => {
    const replayed = Array.from({ length: 100 }, (_, at) =>
      at === 40 || at === 41 ? 50 : at === 80 ? 20 : 1,
    );
    expect(suggestReplays({ plays: 100, replayed }, 1000)).toEqual([
      { startS: 390, endS: 420, kind: "replays", title: null },
      { startS: 790, endS: 820, kind: "replays", title: null },
    ]);
    expect(suggestReplays({ plays: 5, replayed }, 1000)).toEqual([]);
    expect(suggestReplays({ plays: 100, replayed: Array(100).fill(3) }, 1000)).toEqual([]);
  });
});
