import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { createClient, useClient, useTestApp } from "#test/app.ts";
import { makeActor, makeTag } from "#test/factories/make-label.ts";
import { changeVideo, makeVideo } from "#test/factories/make-video.ts";
import { countLockWaits } from "#test/harness/lock-waits.ts";
import type { Video } from "#contract/videos/videos.ts";

const app = useTestApp();
const admin = useClient(app, "OWNER");
let visitor: ReturnType<typeof createClient>;
beforeAll(() => {
  visitor = createClient(app.url);
});

const day = (at: number) => new Date(Date.UTC(2026, 0, at));

/** Creates a series of videos with these titles, published one day after another. */
async function makeSeries(titles: readonly string[]) {
  const tag = await makeTag(app.db);
  const ids = new Map<string, string>();
  for (const [at, title] of titles.entries()) {
    const video = await makeVideo(
      app.db,
      { title, published_at: day(at + 1), duration_s: 10 * (at + 1) },
      { tagIds: [tag.id] },
    );
    ids.set(title, video.id);
  }
  const { status } = await admin.call("PUT", `/api/tags/${tag.id}`, { isSeries: true });
  expect(status).toBe(200);
  return { tag, ids, idOf: (title: string) => ids.get(title) ?? "" };
}

const path = (id: string) => `/api/tags/${id}/series`;
const titlesOf = (videos: { title: string }[]) => videos.map(({ title }) => title).join("");
const orderOf = async (id: string) => titlesOf((await admin.call("GET", path(id))).json.videos);
const listed = async (slug: string, more = "") =>
  (await visitor.call("GET", `/api/videos?tag=${slug}&sort=part${more}`)).json;
const read = async (id: string): Promise<Video> =>
  (await visitor.call("GET", `/api/videos/${id}`)).json;
const move = (id: string, body: object) => admin.call("POST", `${path(id)}/moves`, body);

describe("the order", () => {
  it("starts with the oldest video, and places new ones at the end", async () => {
    const { tag } = await makeSeries(["A", "B"]);
    expect(await orderOf(tag.id)).toBe("AB");
    const old = { title: "C", published_at: day(0) };
    await makeVideo(app.db, old, { tagIds: [tag.id] });
    expect(await orderOf(tag.id)).toBe("ABC");
    const { json } = await visitor.call("GET", `/api/tags/${tag.slug}`);
    expect(json).toMatchObject({ isSeries: true, videoCount: 3, runningTimeS: 90 });
  });

  it("moves a video behind another one, to the start and to a place", async () => {
    const { tag, idOf } = await makeSeries(["A", "B", "C", "D"]);
    await move(tag.id, { videoId: idOf("A"), after: idOf("C") });
    expect(await orderOf(tag.id)).toBe("BCAD");
    await move(tag.id, { videoId: idOf("D"), after: null });
    expect(await orderOf(tag.id)).toBe("DBCA");
    await move(tag.id, { videoId: idOf("D"), to: 3 });
    expect(await orderOf(tag.id)).toBe("BCDA");
    await move(tag.id, { videoId: idOf("B"), to: 99 });
    expect(await orderOf(tag.id)).toBe("CDAB");
    const { json } = await admin.call("GET", "/api/admin/audit?limit=1");
    expect(json.entries[0]).toMatchObject({
      action: "tag.reordered",
      before: { videoId: idOf("B"), part: 1 },
      after: { part: 4 },
    });
  });

  it("still has room after many moves into the same gap", async () => {
    const { tag, idOf } = await makeSeries(["A", "B", "C"]);
    for (let at = 0; at < 30; at += 1) {
      await move(tag.id, { videoId: idOf("B"), after: idOf("A") });
      await move(tag.id, { videoId: idOf("C"), after: idOf("A") });
    }
    expect(await orderOf(tag.id)).toBe("ACB");
  });

  it("retains the moves of two editors at once", async () => {
    const { tag, idOf } = await makeSeries(["A", "B", "C", "D", "E", "F"]);
    const moves = await Promise.all([
      move(tag.id, { videoId: idOf("A"), after: idOf("F") }),
      move(tag.id, { videoId: idOf("E"), after: idOf("B") }),
      move(tag.id, { videoId: idOf("D"), after: null }),
    ]);
    expect(moves.map(({ status }) => status)).toEqual([204, 204, 204]);
    expect(await orderOf(tag.id)).toBe("DBECFA");
  });

  it("reports a move next to a video that someone else removed, and changes nothing", async () => {
    const { tag, idOf } = await makeSeries(["A", "B", "C"]);
    await admin.call("PUT", `/api/videos/${idOf("B")}`, { tags: [] });
    const { status, json } = await move(tag.id, { videoId: idOf("A"), after: idOf("B") });
    expect([status, json.code]).toEqual([409, "edit_conflict"]);
    expect(json.message).toContain("Load the current order");
    expect(await orderOf(tag.id)).toBe("AC");
  });

  it("sorts all videos at once, with the unnamed ones last", async () => {
    const { tag, idOf } = await makeSeries(["A", "B", "C", "D"]);
    await admin.call("PUT", path(tag.id), { videoIds: [idOf("D"), idOf("B")] });
    expect(await orderOf(tag.id)).toBe("DBAC");
    const stranger = await makeVideo(app.db);
    const refused = await admin.call("PUT", path(tag.id), { videoIds: [stranger.id] });
    expect(refused.status).toBe(400);
  });

  it("belongs to series only", async () => {
    const tag = await makeTag(app.db);
    const video = await makeVideo(app.db, {}, { tagIds: [tag.id] });
    expect((await move(tag.id, { videoId: video.id, after: null })).status).toBe(409);
    expect((await visitor.call("GET", path(tag.id))).status).toBe(401);
    expect((await read(video.id)).series).toBeUndefined();
  });

  it("survives a rename, the trash, an edit of labels, and turning the series off and on", async () => {
    const { tag, idOf } = await makeSeries(["A", "B", "C"]);
    await move(tag.id, { videoId: idOf("C"), after: null });
    await admin.call("PUT", `/api/tags/${tag.id}`, { name: `${tag.name} renamed` });
    await admin.call("DELETE", `/api/videos/${idOf("C")}`);
    expect(await orderOf(tag.id)).toBe("AB");
    await admin.call("POST", `/api/admin/trash/${idOf("C")}/restore`);
    await admin.call("PUT", `/api/videos/${idOf("A")}`, {
      tags: ["Another", `${tag.name} renamed`],
    });
    for (const isSeries of [false, true]) {
      await admin.call("PUT", `/api/tags/${tag.id}`, { isSeries });
    }
    expect(await orderOf(tag.id)).toBe("CAB");
  });

  it("places a video at the end if it gets the label while the label becomes a series", async () => {
    const tag = await makeTag(app.db);
    const [first, second] = [await makeVideo(app.db), await makeVideo(app.db)];
    await app.db.insertInto("video_tags").values({ video_id: first.id, tag_id: tag.id }).execute();
    const adding = await app.db.transaction().execute(async (trx) => {
      await sql`select from tags where id = ${tag.id} for update`.execute(trx);
      await trx.updateTable("tags").set({ is_series: true }).where("id", "=", tag.id).execute();
      const call = admin.call("PUT", `/api/videos/${second.id}`, { tags: [tag.name] });
      await expect.poll(() => countLockWaits(app.db)).toBe(1);
      return { call };
    });
    expect((await adding.call).status).toBe(200);
    const rows = await app.db
      .selectFrom("video_tags")
      .select("series_key")
      .where("video_id", "=", second.id)
      .execute();
    expect(rows[0]?.series_key).toBeGreaterThan(0);
  });
});

describe("merging", () => {
  it("appends a series to another one, and leaves common videos where they are", async () => {
    const into = await makeSeries(["A", "B"]);
    const from = await makeSeries(["C", "D"]);
    await move(from.tag.id, { videoId: from.idOf("D"), after: null });
    const both = { video_id: into.idOf("A"), tag_id: from.tag.id };
    await app.db.insertInto("video_tags").values(both).execute();
    await admin.call("POST", `/api/tags/${from.tag.id}/merge`, { into: into.tag.id });
    expect(await orderOf(into.tag.id)).toBe("ABDC");
  });

  it("turns a plain label into a series that starts with the other one", async () => {
    const from = await makeSeries(["A", "B"]);
    await move(from.tag.id, { videoId: from.idOf("B"), after: null });
    const into = await makeTag(app.db);
    await makeVideo(app.db, { title: "X", published_at: day(0) }, { tagIds: [into.id] });
    const both = { video_id: from.idOf("A"), tag_id: into.id };
    await app.db.insertInto("video_tags").values(both).execute();
    await admin.call("POST", `/api/tags/${from.tag.id}/merge`, { into: into.id });
    expect(await orderOf(into.id)).toBe("BAX");
    expect((await listed(from.tag.slug)).total).toBe(3);
  });
});

describe("for visitors", () => {
  it("lists parts in order with a cursor, and ignores the order of other lists", async () => {
    const { tag, idOf } = await makeSeries(["A", "B", "C"]);
    await move(tag.id, { videoId: idOf("C"), after: null });
    const first = await listed(tag.slug, "&limit=2");
    expect([titlesOf(first.videos), first.total]).toEqual(["CA", 3]);
    const second = await listed(tag.slug, `&limit=2&cursor=${first.nextCursor}`);
    expect([titlesOf(second.videos), second.nextCursor]).toEqual(["B", null]);
    const all = await visitor.call("GET", "/api/videos?sort=part&limit=1");
    expect(all.json.videos).toHaveLength(1);
    const narrowed = await visitor.call("GET", `/api/videos?tag=${tag.slug}&sort=part&length=long`);
    expect(narrowed.json.total).toBe(0);
    const foreign = await visitor.call(
      "GET",
      `/api/videos?tag=${tag.slug}&sort=newest&cursor=${first.nextCursor}`,
    );
    expect(foreign.status).toBe(400);
  });

  it("numbers a video among its neighbours, and skips those that visitors can't see", async () => {
    const { tag, idOf } = await makeSeries(["A", "B", "C", "D", "E"]);
    await admin.call("PUT", `/api/videos/${idOf("A")}`, { isPublished: false });
    await admin.call("PUT", `/api/videos/${idOf("C")}`, { visibility: "unlisted" });
    const { series } = await read(idOf("D"));
    expect(series).toMatchObject([
      { kind: "tags", slug: tag.slug, name: tag.name, part: 2, total: 3 },
    ]);
    expect([series?.[0]?.previous?.title, series?.[0]?.next?.title]).toEqual(["B", "E"]);
    expect((await read(idOf("C"))).series).toBeUndefined();
    await admin.call("DELETE", `/api/videos/${idOf("E")}`);
    await expect.poll(async () => (await read(idOf("D"))).series?.[0]?.next).toBeNull();
    expect((await listed(tag.slug)).total).toBe(2);
  });

  it("shows a new order and a neighbour's new title at once", async () => {
    const { tag, idOf } = await makeSeries(["A", "B", "C"]);
    expect((await read(idOf("B"))).series?.[0]).toMatchObject({ part: 2 });
    await move(tag.id, { videoId: idOf("B"), after: null });
    expect((await read(idOf("B"))).series?.[0]).toMatchObject({ part: 1, previous: null });
    await admin.call("PUT", `/api/videos/${idOf("A")}`, { title: "Renamed" });
    expect((await read(idOf("B"))).series?.[0]?.next?.title).toBe("Renamed");
  });

  it("returns all series of a video", async () => {
    const { tag, idOf } = await makeSeries(["A"]);
    const actor = await makeActor(app.db, { is_series: true });
    await app.db
      .insertInto("video_actors")
      .values({ video_id: idOf("A"), actor_id: actor.id })
      .execute();
    await changeVideo(app.db, idOf("A"), { views: 1 });
    const { json } = await admin.call("GET", `/api/videos/${idOf("A")}`);
    const kinds = json.series.map(({ kind, slug }: { kind: string; slug: string }) => [kind, slug]);
    expect(kinds.toSorted()).toEqual([
      ["actors", actor.slug],
      ["tags", tag.slug],
    ]);
  });

  it("lists the parts in order in RSS", async () => {
    const { tag, idOf } = await makeSeries(["Aaa", "Bbb", "Ccc"]);
    await move(tag.id, { videoId: idOf("Ccc"), after: null });
    const xml = await (await fetch(`${app.url}/tags/${tag.slug}/feed.rss`)).text();
    const titles = [...xml.matchAll(/<item><title>(\w+)</g)].map(([, title]) => title);
    expect(titles).toEqual(["Ccc", "Aaa", "Bbb"]);
  });
});

describe("imports of playlists", () => {
  it("append videos in order and turn the label into a series", async () => {
    const tag = await makeTag(app.db);
    const [old, one, two] = [
      await makeVideo(app.db, { title: "O" }, { tagIds: [tag.id] }),
      await makeVideo(app.db, { title: "1" }),
      await makeVideo(app.db, { title: "2" }),
    ];
    const { series } = app.context.labels;
    const ids = [two.id, old.id, one.id];
    await app.db.transaction().execute((trx) => series.append(trx, "tags", tag.id, ids));
    expect(await orderOf(tag.id)).toBe("O21");
  });
});
