import { afterAll, beforeAll, expect, it } from "vitest";
import { createClient, useTestApp, useClient } from "#test/app.ts";
import { makeCategory, makeTag } from "#test/factories/make-label.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { createRandom } from "#test/reference/random.ts";
import { feedList } from "#contract/lists/feed.ts";
import { video, videoList } from "#contract/videos/videos.ts";
import { createLogger } from "#server/lib/logger.ts";
import { createContext, type Context } from "#server/context.ts";
import { registerEverything } from "#server/routes.ts";
import { hydrateVideos } from "./video-list.repository.ts";
import { presentVideo } from "../videos.presenter.ts";

/**
 * Two processes share one database. After every kind of write through either of them, both must
 * show each video as it is in the database.
 */

let other: Context;
let urls: string[];
const random = createRandom(11);
const visitor = { isAdmin: false };

const app = useTestApp({ env: { RESPONSE_CACHE: "0", WRITE_LIMITS: "0" } });
const admin = useClient(app);
beforeAll(async () => {
  other = await createContext({
    config: { ...app.context.config, role: "web" },
    logger: createLogger("error"),
    target: app.database.target,
  });
  await registerEverything(other, null);
  urls = [app.url, await other.http.app.listen({ port: 0, host: "127.0.0.1" })];
  const { db } = app.database;
  const categories = await Promise.all(["One", "Two"].map((name) => makeCategory(db, { name })));
  const tags = await Promise.all(["Red", "Green", "Blue"].map((name) => makeTag(db, { name })));
  for (let n = 0; n < 40; n += 1) {
    await makeVideo(
      db,
      { title: `Video "${n}" \\ \u2028 é`, description: n % 3 === 0 ? null : `Line\n${n}` },
      {
        categoryIds: [random.pick(categories).id],
        tagIds: tags.filter(() => random.next() < 0.5).map(({ id }) => id),
      },
    );
  }
});
afterAll(async () => {
  await other.stop(2000);
});

async function listExpected() {
  const { db } = app.database;
  const rows = await db
    .selectFrom("videos")
    .select("id")
    .where("is_listed", "=", true)
    .orderBy("published_at", "desc")
    .orderBy("id", "desc")
    .execute();
  const videos = await hydrateVideos(
    db,
    rows.map(({ id }) => id),
  );
  return videos.map((item) => presentVideo(item, visitor));
}

const read = async (address: string): Promise<unknown> => (await fetch(address)).json();

/** Checks one process's lists, single videos by id and slug, and the feed. */
async function expectRight(url: string, what: string): Promise<void> {
  const expected = await listExpected();
  // Strict parsing: the response must not contain fields outside the contract.
  const list = videoList.extend({ videos: video.strict().array() }).strict();
  const { videos, total } = list.parse(await read(`${url}/api/videos?limit=100`));
  expect({ what, total, videos }).toEqual({ what, total: expected.length, videos: expected });
  const one = random.pick(expected);
  expect(await read(`${url}/api/videos/${one.slug}`)).toEqual(one);
  expect(await read(`${url}/api/videos/${one.id}`)).toEqual(one);
  const feed = feedList.parse(await read(`${url}/api/feed?limit=100`));
  for (const { isFavorite, why, reason, ...shown } of feed.videos) {
    expect(isFavorite).toBe(false);
    expect(why).toMatch(/\w/);
    expect(reason?.kind).toMatch(/\w/);
    expect(shown).toEqual(expected.find(({ id }) => id === shown.id));
  }
}

const bulk = async (action: object, ids: string[]) => {
  const { json, status } = await admin.call("POST", "/api/admin/bulk", {
    action,
    target: { ids },
  });
  expect(status).toBeLessThan(300);
  const job = app.context.jobs.find(({ name }) => name === "bulk.run");
  await job?.run({ bulkId: json.id }, { signal: new AbortController().signal });
};

type Write = (id: string, n: number) => Promise<{ status: number } | void>;
const writes: Record<string, Write> = {
  "edit of the title": (id, n) => admin.call("PUT", `/api/videos/${id}`, { title: `Edited ${n}` }),
  "edit of the labels": (id, n) =>
    admin.call("PUT", `/api/videos/${id}`, { tags: ["Green", `New ${n % 3}`], categories: [] }),
  "draft and publication": async (id) => {
    await admin.call("PUT", `/api/videos/${id}`, { isPublished: false });
    for (const url of urls) await expectRight(url, "draft");
    expect((await fetch(`${urls[1]}/api/videos/${id}`)).status).toBe(404);
    return admin.call("PUT", `/api/videos/${id}`, { isPublished: true });
  },
  "a like": (id) => createClient(random.pick(urls)).call("POST", `/api/videos/${id}/like`),
  "a view": (id) =>
    createClient(random.pick(urls)).call("POST", `/api/videos/${id}/watch`, {
      watchTime: 60,
      completed: true,
    }),
  "bulk premium": (id, n) => bulk({ kind: "set_premium", isPremium: n % 2 === 0 }, [id]),
  removal: (id) => admin.call("DELETE", `/api/videos/${id}`),
};

it("shows every video correctly in both processes right after every write", async () => {
  for (const url of urls) await expectRight(url, "at first");
  for (let n = 0; n < 3; n += 1) {
    for (const [what, write] of Object.entries(writes)) {
      const done = await write(random.pick(await listExpected()).id, n);
      expect([what, (done?.status ?? 200) < 300]).toEqual([what, true]);
      for (const url of urls) await expectRight(url, what);
    }
  }
});

it("shows correct label names once the event has arrived", async () => {
  const { json: tags } = await admin.call("GET", "/api/tags");
  const [red, green, blue] = ["Red", "Green", "Blue"].map(
    (name) => tags.find((tag: { name: string }) => tag.name === name).id,
  );
  const steps: [string, () => Promise<{ status: number }>][] = [
    ["rename", () => admin.call("PUT", `/api/tags/${red}`, { name: "Crimson" })],
    ["merge", () => admin.call("POST", `/api/tags/${blue}/merge`, { into: green })],
    ["removal of a label", () => admin.call("DELETE", `/api/tags/${green}`)],
  ];
  for (const [what, step] of steps) {
    expect((await step()).status).toBeLessThan(300);
    await expectRight(app.url, what);
    await expect
      .poll(() => expectRight(urls[1] ?? "", what).then(() => "right", String))
      .toBe("right");
  }
});

it("shows correct videos even without events", async () => {
  const { db } = app.database;
  const [first] = await listExpected();
  await db
    .updateTable("videos")
    .set({ title: "Without an event" })
    .where("id", "=", first?.id ?? "")
    .execute();
  for (const url of urls) await expectRight(url, "no event");
});
