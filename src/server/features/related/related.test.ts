import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { useTestDatabase } from "#test/database.ts";
import { makeActor, makeCategory, makeTag } from "#test/factories/make-label.ts";
import { makeDraft, makeVideo, changeVideo } from "#test/factories/make-video.ts";
import { newId } from "#server/lib/ids.ts";
import { findLabelId } from "#server/features/labels/labels.repository.ts";
import { createSearchService } from "#server/features/search/search.service.ts";
import { createRelatedJob } from "./related.feature.ts";
import { findKept, listCoWatched, listRelatedCandidates } from "./related.repository.ts";
import { createRelatedVideos, type RelatedVideos } from "./related.service.ts";
import {
  coWatched,
  completeList,
  likeness,
  pickVaried,
  rarity,
  relatedScore,
  titleLikeness,
  trigrams,
  type Candidate,
} from "./related.ts";
import { createListSkeletons } from "#server/features/videos/query/list-skeletons.ts";

let related: RelatedVideos;
const database = useTestDatabase();
beforeAll(async () => {
  const { db } = database;
  const lists = createListSkeletons({
    db,
    search: createSearchService({ db }),
    labels: { findId: (kind, slug) => findLabelId(db, kind, slug) },
  });
  related = createRelatedVideos({ db, lists });
});

const listIds = async (videoId: string) => (await related.list(videoId, 6)).ids;

const pickRelated = (
  candidates: Candidate[],
  fill: { id: string; actorIds: string[] }[],
  count: number,
) => {
  const { picked, left } = pickVaried(candidates, count);
  return completeList(picked, left, fill, count);
};

const candidate = (id: string, score: number, rest: Partial<Candidate> = {}): Candidate => ({
  id,
  score,
  reason: "title",
  tags: new Map(),
  actorIds: [],
  categoryIds: [],
  title: id,
  ...rest,
});

describe("related videos", () => {
  it("computes scores by the formula", async () => {
    const { db } = database;
    const tags = await Promise.all(
      ["rare", "common", "other"].map((name) => makeTag(db, { name })),
    );
    const actors = await Promise.all(["one", "two"].map((name) => makeActor(db, { name })));
    const category = await makeCategory(db, { name: "only" });
    const id = (list: { id: string }[], at: number) => list[at]?.id ?? "";
    const facts = [
      { title: "harbour at night", tags: [0, 1], actors: [0], viewers: [1, 2, 3, 4] },
      { title: "harbour at dawn", tags: [0, 1, 2], actors: [0, 1], viewers: [1, 2] },
      { title: "kitchen", tags: [1], actors: [], viewers: [] },
      { title: "night train", tags: [1, 2], actors: [0], viewers: [3, 4, 5] },
      { title: "never related", tags: [2], actors: [], viewers: [9] },
    ];
    const visitors = Array.from({ length: 10 }, () => newId());
    const candidates: ((typeof facts)[number] & { id: string })[] = [];
    for (const fact of facts) {
      const video = await makeVideo(
        db,
        { title: fact.title, engaged: fact.viewers.length },
        {
          tagIds: fact.tags.map((n) => id(tags, n)),
          actorIds: fact.actors.map((n) => id(actors, n)),
          categoryIds: [category.id],
        },
      );
      for (const n of fact.viewers) {
        await db
          .insertInto("watches")
          .values({
            visitor_id: visitors[n] ?? "",
            video_id: video.id,
            counted_at: new Date(),
            engaged: true,
          })
          .execute();
      }
      candidates.push({ ...fact, id: video.id });
    }
    const counts = [0, 1, 2].map((tag) => facts.filter((fact) => fact.tags.includes(tag)).length);
    const subject = (fact: (typeof candidates)[number]) => ({
      tags: new Map(
        fact.tags.map((tag) => [id(tags, tag), rarity(facts.length, counts[tag] ?? 0)]),
      ),
      actorIds: fact.actors.map((n) => id(actors, n)),
      categoryIds: [category.id],
      title: fact.title,
    });
    const [first, ...others] = candidates;
    if (first === undefined) throw new Error("no candidates");
    const found = await listRelatedCandidates(db, first.id, await listCoWatched(db, first.id));
    expect(found.map((item) => item.title).toSorted()).toEqual([
      "harbour at dawn",
      "kitchen",
      "night train",
    ]);
    for (const other of others) {
      const scored = found.find((item) => item.id === other.id);
      if (scored === undefined) continue;
      const title = titleLikeness(trigrams(first.title), trigrams(other.title));
      const both = other.viewers.filter((n) => first.viewers.includes(n)).length;
      const expected = relatedScore(
        likeness(subject(first), subject(other), title),
        coWatched(both, first.viewers.length, other.viewers.length),
        first.viewers.length,
      );
      expect(scored.score).toBeCloseTo(expected, 6);
    }
    expect(found[0]?.title).toBe("harbour at dawn");
  });

  it("returns the same videos each time, at most six, without drafts and the video itself", async () => {
    const { db } = database;
    const tag = await makeTag(db, { name: "together" });
    const videos: { id: string }[] = [];
    for (let n = 0; n < 9; n += 1)
      videos.push(await makeVideo(db, { title: `Part ${n}` }, { tagIds: [tag.id] }));
    const draft = await makeDraft(db);
    await db.insertInto("video_tags").values({ video_id: draft.id, tag_id: tag.id }).execute();
    const own = videos[4]?.id ?? "";
    const ids = await listIds(own);
    expect(ids).toHaveLength(6);
    expect(new Set(ids).size).toBe(6);
    expect(ids).not.toContain(own);
    expect(ids).not.toContain(draft.id);
    expect(await listIds(own)).toEqual(ids);
  });

  it("fills up from trending videos in the category, then from all", async () => {
    const { db } = database;
    const category = await makeCategory(db, { name: "quiet corner" });
    const lonely = await makeVideo(db, { title: "Lonely" }, { categoryIds: [category.id] });
    const near = await makeVideo(db, { title: "Near", trend: 5 }, { categoryIds: [category.id] });
    const far = await makeVideo(db, { title: "Far", trend: 99_999 });
    const ids = await listIds(lonely.id);
    expect(ids.slice(0, 2)).toEqual([near.id, far.id]);
    expect(ids).toHaveLength(6);
  });
});

describe("the stored choice", () => {
  const makeGroup = async (name: string, count: number) => {
    const { db } = database;
    const tag = await makeTag(db, { name });
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) {
      ids.push((await makeVideo(db, { title: `${name} ${n}` }, { tagIds: [tag.id] })).id);
    }
    return { tagId: tag.id, own: ids[0] ?? "", others: ids.slice(1) };
  };
  const findQueued = async (id: string) =>
    (
      await sql<{ isUrgent: boolean }>`
        select is_urgent as "isUrgent" from related_queue where video_id = ${id}`.execute(
        database.db,
      )
    ).rows;
  const run = (payload: object = {}) =>
    createRelatedJob({ db: database.db, relatedVideos: related }).run(payload, {
      signal: new AbortController().signal,
    });

  it("is read from the database without unlisted videos", async () => {
    const { db } = database;
    const { own, others } = await makeGroup("kept", 9);
    const before = await listIds(own);
    const [first = "", second = "", ...rest] = before;
    await changeVideo(db, first, { is_published: false });
    await db.deleteFrom("videos").where("id", "=", second).execute();
    const after = await listIds(own);
    expect(after.slice(0, 4)).toEqual(rest);
    expect(others).toEqual(expect.arrayContaining(after));
    expect(new Set(after).size).toBe(6);
    // A new neighbour appears with the next choice.
    const { id } = await makeVideo(db, { title: "kept 99", trend: -1 }, {});
    await sql`insert into related_videos (video_id, ids, spare_ids, engaged)
      values (${own}, array[${id}]::uuid[], '{}', 0)
      on conflict (video_id) do update set ids = excluded.ids, spare_ids = '{}'`.execute(db);
    expect((await listIds(own))[0]).toBe(id);
    await related.choose(own);
    expect(await listIds(own)).toEqual(after);
  });

  it("is recomputed after a change of title, label or publication, and deleted with its video", async () => {
    const { db } = database;
    const { own, tagId } = await makeGroup("changing", 3);
    const changes = [
      () => db.deleteFrom("video_tags").where("video_id", "=", own).execute(),
      () => db.insertInto("video_tags").values({ video_id: own, tag_id: tagId }).execute(),
      () => changeVideo(db, own, { title: "Other" }),
      async () => {
        await changeVideo(db, own, { is_published: false });
        await changeVideo(db, own, { is_published: true });
      },
    ];
    for (const change of changes) {
      await run();
      expect(await findKept(db, own)).not.toBeNull();
      expect(await findQueued(own)).toEqual([]);
      await change();
      expect(await findKept(db, own)).toBeNull();
      expect(await findQueued(own)).toEqual([{ isUrgent: true }]);
    }
    await run();
    await db.deleteFrom("videos").where("id", "=", own).execute();
    expect(await findKept(db, own)).toBeNull();
  });

  it("updates a changed video in its job, and its neighbours in the minutely run", async () => {
    const { db } = database;
    const { own, others, tagId } = await makeGroup("neighbours", 4);
    await run();
    await sql`update related_videos set chosen_at = now() - interval '1 hour'`.execute(db);
    const { id } = await makeVideo(db, { title: "neighbours 9" }, { tagIds: [tagId] });
    await run({ isUrgentOnly: true });
    expect((await findKept(db, id))?.ids).toEqual(expect.arrayContaining([own, ...others]));
    expect((await findKept(db, own))?.ids).not.toContain(id);
    expect(await findQueued(own)).toEqual([{ isUrgent: false }]);
    await run();
    expect((await findKept(db, own))?.ids).toContain(id);
  });

  it("is recomputed when there are many new engaged viewers, and when it is old", async () => {
    const { db } = database;
    const { own } = await makeGroup("growing", 2);
    const chosenAt = async () =>
      (
        await sql<{
          at: Date;
        }>`select chosen_at as at from related_videos where video_id = ${own}`.execute(db)
      ).rows[0]?.at.getTime();
    await run();
    const first = await chosenAt();
    await run();
    expect(await chosenAt()).toBe(first);
    await changeVideo(db, own, { engaged: 500, trend: 1e6 });
    await run();
    const second = await chosenAt();
    expect(second).not.toBe(first);
    await sql`update related_videos set chosen_at = now() - interval '8 days' where video_id = ${own}`.execute(
      db,
    );
    await run();
    expect(await chosenAt()).toBeGreaterThanOrEqual(second ?? Infinity);
  });

  it("fills a second new video from trending at once", async () => {
    const one = await makeGroup("busy", 3);
    const two = await makeGroup("waiting", 3);
    const groups = [one, two];
    // The first choice can't be stored yet, so it keeps running until the other video has its list.
    const lists = await database.db
      .transaction()
      .execute(async (trx) => {
        await sql`lock table related_videos in exclusive mode`.execute(trx);
        const started = groups.map(({ own }) => listIds(own));
        await Promise.race(started);
        return started;
      })
      .then((started) => Promise.all(started));
    const isChosen = (ids: string[] | undefined, { others }: typeof one) =>
      others.every((id) => ids?.slice(0, 2).includes(id));
    // Which one comes first depends on the connections.
    expect(groups.filter((group, at) => isChosen(lists[at], group))).toHaveLength(1);
    expect(lists.map((ids) => ids.length)).toEqual([6, 6]);
    for (const group of groups) {
      expect(isChosen(await listIds(group.own), group)).toBe(true);
    }
  });
});

describe("variety", () => {
  it("prefers videos that differ from those already picked", () => {
    const twin = { tags: new Map([["a", 1]]), title: "same words here" };
    const ids = pickRelated(
      [candidate("1", 0.9, twin), candidate("2", 0.88, twin), candidate("3", 0.8)],
      [],
      2,
    );
    expect(ids).toEqual(["1", "3"]);
  });

  it("shows at most two videos of one actor while others are left", () => {
    const same = [1, 2, 3, 4].map((n) => candidate(`a${n}`, 0.9 - n / 100, { actorIds: ["star"] }));
    const fill = [
      { id: "b", actorIds: [] },
      { id: "c", actorIds: ["star"] },
    ];
    expect(pickRelated(same, fill, 3)).toEqual(["a1", "a2", "b"]);
    expect(pickRelated(same, [], 6)).toEqual(["a1", "a2", "a3", "a4"]);
  });

  it("lowers the score if there are few common viewers", () => {
    expect(coWatched(0, 10, 10)).toBe(0);
    expect(coWatched(1, 1, 1)).toBeCloseTo(1 / 4);
    expect(coWatched(90, 100, 100)).toBeCloseTo(0.9 * (90 / 93));
  });
});
