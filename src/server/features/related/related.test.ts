import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/database.ts";
import { makeActor, makeCategory, makeTag } from "../../../../test/factories/make-label.ts";
import { makeDraft, makeVideo } from "../../../../test/factories/make-video.ts";
import { newId } from "../../lib/ids.ts";
import { findTaxonomyId } from "../catalog/taxonomy.repository.ts";
import { createSearchService } from "../search/search.service.ts";
import { listRelatedCandidates } from "./related.repository.ts";
import { createRelatedVideos, type RelatedVideos } from "./related.service.ts";
import {
  coWatched,
  likeness,
  pickRelated,
  rarity,
  share,
  titleLikeness,
  trigrams,
  type Candidate,
} from "./related.ts";
import { createVideoLists } from "../lists/video-lists.service.ts";

let database: TestDatabase;
let related: RelatedVideos;
beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  const lists = createVideoLists({
    db,
    search: createSearchService({ db }),
    catalog: { findId: (kind, slug) => findTaxonomyId(db, kind, slug) },
  });
  related = createRelatedVideos({ db, lists });
});
afterAll(() => database.drop());

const candidate = (id: string, score: number, rest: Partial<Candidate> = {}): Candidate => ({
  id,
  score,
  tags: new Map(),
  actorIds: [],
  categoryIds: [],
  title: id,
  ...rest,
});

describe("related videos", () => {
  it("score as the formula says, computed here from the plain facts", async () => {
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
    const found = await listRelatedCandidates(db, first.id);
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
      const expected =
        likeness(subject(first), subject(other), title) +
        share.watched * coWatched(both, first.viewers.length, other.viewers.length);
      expect(scored.score).toBeCloseTo(expected, 6);
    }
    expect(found[0]?.title).toBe("harbour at dawn");
  });

  it("are never the video itself, never a draft, at most six, the same every time", async () => {
    const { db } = database;
    const tag = await makeTag(db, { name: "together" });
    const videos: { id: string }[] = [];
    for (let n = 0; n < 9; n += 1)
      videos.push(await makeVideo(db, { title: `Part ${n}` }, { tagIds: [tag.id] }));
    const draft = await makeDraft(db);
    await db.insertInto("video_tags").values({ video_id: draft.id, tag_id: tag.id }).execute();
    const own = videos[4]?.id ?? "";
    const ids = await related.listIds(own, 6);
    expect(ids).toHaveLength(6);
    expect(new Set(ids).size).toBe(6);
    expect(ids).not.toContain(own);
    expect(ids).not.toContain(draft.id);
    expect(await related.listIds(own, 6)).toEqual(ids);
  });

  it("are filled up from what is trending in the category, then anywhere", async () => {
    const { db } = database;
    const category = await makeCategory(db, { name: "quiet corner" });
    const lonely = await makeVideo(db, { title: "Lonely" }, { categoryIds: [category.id] });
    const near = await makeVideo(db, { title: "Near", trend: 5 }, { categoryIds: [category.id] });
    const far = await makeVideo(db, { title: "Far", trend: 99_999 });
    const ids = await related.listIds(lonely.id, 6);
    expect(ids.slice(0, 2)).toEqual([near.id, far.id]);
    expect(ids).toHaveLength(6);
  });
});

describe("variety", () => {
  it("prefers what differs from what was picked", () => {
    const twin = { tags: new Map([["a", 1]]), title: "same words here" };
    const ids = pickRelated(
      [candidate("1", 0.9, twin), candidate("2", 0.88, twin), candidate("3", 0.8)],
      [],
      2,
    );
    expect(ids).toEqual(["1", "3"]);
  });

  it("shows at most two of one actor while there is anybody else", () => {
    const same = [1, 2, 3, 4].map((n) => candidate(`a${n}`, 0.9 - n / 100, { actorIds: ["star"] }));
    const fill = [
      { id: "b", actorIds: [] },
      { id: "c", actorIds: ["star"] },
    ];
    expect(pickRelated(same, fill, 3)).toEqual(["a1", "a2", "b"]);
    expect(pickRelated(same, [], 6)).toEqual(["a1", "a2", "a3", "a4"]);
  });

  it("draws few common viewers towards nothing", () => {
    expect(coWatched(0, 10, 10)).toBe(0);
    expect(coWatched(1, 1, 1)).toBeCloseTo(1 / 11);
    expect(coWatched(90, 100, 100)).toBeCloseTo(0.9 * 0.9);
  });
});
