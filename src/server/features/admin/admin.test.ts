import { afterAll, beforeAll, expect, it } from "vitest";
import { createClient, startTestApp, type TestApp } from "../../../../test/app.ts";
import { makeCategory, makeTag } from "../../../../test/factories/make-label.ts";
import { makeDraft, makeVideo } from "../../../../test/factories/make-video.ts";
import { publishPlanned } from "../library/scheduled-publishing.jobs.ts";

let app: TestApp;
let admin: ReturnType<typeof createClient>;
const dayMs = 24 * 3600 * 1000;
/** Noon of today, so that neither the next hour nor the last one is another day. */
let nowMs = Math.floor(Date.now() / dayMs) * dayMs + dayMs / 2;
const dateOf = (daysAgo: number) => new Date(nowMs - daysAgo * dayMs).toISOString().slice(0, 10);
const clock = { now: () => nowMs, date: () => new Date(nowMs) };

beforeAll(async () => {
  app = await startTestApp({ work: true, clock });
  admin = createClient(app.url, await app.signIn());
});
afterAll(() => app.stop());

/** Waits for a bulk action to end. */
async function finish(id: string) {
  for (;;) {
    const { json } = await admin.call("GET", `/api/admin/bulk/${id}`);
    if (json.state !== "waiting" && json.state !== "running") return json;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
const titles = (answer: { json: { videos: { title: string }[] } }) =>
  answer.json.videos.map((video) => video.title);

it("filters by state, premium, label and words, and sorts by any column", async () => {
  const { db } = app.database;
  const night = await makeCategory(db, { name: "Filter night" });
  await makeVideo(
    db,
    { title: "Filter alpha", views: 5, is_premium: true },
    { categoryIds: [night.id] },
  );
  await makeDraft(db, { title: "Filter beta 100%", views: 9 });
  await makeVideo(db, {
    title: "Filter gamma",
    views: 7,
    status: "failed",
    failure_reason: "broken",
  });
  const list = (query: string) => admin.call("GET", `/api/admin/videos?search=filter&${query}`);

  expect(titles(await list("sort=views&order=desc"))).toEqual([
    "Filter beta 100%",
    "Filter gamma",
    "Filter alpha",
  ]);
  expect(titles(await list("sort=title&order=asc"))).toEqual([
    "Filter alpha",
    "Filter beta 100%",
    "Filter gamma",
  ]);
  expect(titles(await list("state=draft"))).toEqual(["Filter beta 100%"]);
  expect(titles(await list("state=failed"))).toEqual(["Filter gamma"]);
  expect(titles(await list("premium=true"))).toEqual(["Filter alpha"]);
  expect(titles(await list("category=filter-night"))).toEqual(["Filter alpha"]);
  expect(titles(await list("category=none-such"))).toEqual([]);
  expect(titles(await admin.call("GET", "/api/admin/videos?search=100%25"))).toEqual([
    "Filter beta 100%",
  ]);
  expect((await list("state=odd")).status).toBe(400);
  expect((await list("limit=1&offset=1&sort=title&order=asc")).json).toMatchObject({ total: 3 });
});

it("does something to ticked ones, tells how far it is and writes it down", async () => {
  const { db } = app.database;
  const drafts = [await makeDraft(db), await makeDraft(db)];
  const already = await makeVideo(db);
  const ids = [...drafts.map((row) => row.id), already.id];
  const started = await admin.call("POST", "/api/admin/bulk", {
    action: { kind: "publish" },
    target: { ids },
  });
  expect(started.status).toBe(202);
  expect(await finish(started.json.id)).toMatchObject({
    state: "done",
    total: 3,
    done: 3,
    changed: 2,
  });
  const rows = await db.selectFrom("videos").selectAll().where("id", "in", ids).execute();
  expect(rows.every((row) => row.is_published && row.published_at !== null)).toBe(true);
  const audit = await db
    .selectFrom("audit_log")
    .selectAll()
    .where("entity", "=", "video")
    .where("entity_id", "in", ids)
    .execute();
  expect(audit.map((entry) => entry.entity_id).toSorted()).toEqual(
    drafts.map((row) => row.id).toSorted(),
  );
});

it("adds labels to all that match and takes them away again", async () => {
  const { db } = app.database;
  for (let n = 0; n < 230; n += 1) await makeVideo(db, { title: `Matching ${n}` });
  const target = { filter: { search: "Matching", state: "published" } };
  const add = await admin.call("POST", "/api/admin/bulk", {
    action: { kind: "add_labels", label: "tags", names: ["Brand new", "brand NEW", "Other"] },
    target,
  });
  expect(await finish(add.json.id)).toMatchObject({ state: "done", total: 230, changed: 230 });
  const tagged = await admin.call("GET", "/api/admin/videos?tag=brand-new&limit=1");
  expect(tagged.json.total).toBe(230);
  expect(
    tagged.json.videos[0].tags.map((item: { tag: { name: string } }) => item.tag.name),
  ).toEqual(["Brand new", "Other"]);
  const remove = await admin.call("POST", "/api/admin/bulk", {
    action: { kind: "remove_labels", label: "tags", names: ["Brand new"] },
    target,
  });
  expect(await finish(remove.json.id)).toMatchObject({ changed: 230 });
  expect((await admin.call("GET", "/api/admin/videos?tag=brand-new")).json.total).toBe(0);
});

it("finds beside a filter what the search finds alone, also by a tag", async () => {
  const { db } = app.database;
  const tag = await makeTag(db, { name: "Bioluminescence" });
  await makeVideo(db, { title: "Glow of the bay" }, { tagIds: [tag.id] });
  await makeVideo(db, { title: "Glow unseen", is_published: false }, { tagIds: [tag.id] });
  const search = "search=bioluminescence";
  expect((await admin.call("GET", `/api/videos?${search}`)).json.total).toBe(2);
  const narrowed = await admin.call("GET", `/api/admin/videos?${search}&state=draft`);
  expect(titles(narrowed)).toEqual(["Glow unseen"]);
  expect(narrowed.json.total).toBe(1);
});

it("finds what a search alone shows, by the same search", async () => {
  const { db } = app.database;
  await makeDraft(db, { title: "Lighthouse at dusk" });
  await makeDraft(db, { title: "Lighthouse at dawn" });
  const shown = await admin.call("GET", "/api/videos?search=lighthouse");
  const started = await admin.call("POST", "/api/admin/bulk", {
    action: { kind: "set_premium", isPremium: true },
    target: { filter: { search: "lighthouse" } },
  });
  const job = await finish(started.json.id);
  expect(job).toMatchObject({ state: "done", total: shown.json.total, changed: 2 });
});

it("deletes with everything that belongs to a video", async () => {
  const { db } = app.database;
  const row = await makeVideo(db);
  await app.context.storage.putBytes(`v/${row.media_token}/play.mp4`, "bytes");
  const started = await admin.call("POST", "/api/admin/bulk", {
    action: { kind: "delete" },
    target: { ids: [row.id] },
  });
  await finish(started.json.id);
  expect((await admin.call("GET", `/api/videos/${row.id}`)).status).toBe(404);
  expect(await app.context.storage.findStat(`v/${row.media_token}/play.mp4`)).toBeNull();
});

it("stops when it is cancelled: what is done stays done, the rest is left alone", async () => {
  const { db } = app.database;
  for (let n = 0; n < 400; n += 1) await makeDraft(db, { title: `Cancelled ${n}` });
  const started = await admin.call("POST", "/api/admin/bulk", {
    action: { kind: "publish" },
    target: { filter: { search: "Cancelled", state: "draft" } },
  });
  const cancelled = await admin.call("POST", `/api/admin/bulk/${started.json.id}/cancel`);
  expect(cancelled.json.state).toBe("cancelled");
  await new Promise((resolve) => setTimeout(resolve, 500));
  const after = (await admin.call("GET", `/api/admin/bulk/${started.json.id}`)).json;
  const { published } = await db
    .selectFrom("videos")
    .select(({ fn }) => fn.countAll<number>().as("published"))
    .where("title", "like", "Cancelled %")
    .where("is_published", "=", true)
    .executeTakeFirstOrThrow();
  expect(after).toMatchObject({ state: "cancelled", total: 400, changed: published });
  expect(published).toBeLessThan(400);
});

it("publishes at the planned time, under the name of who planned it", async () => {
  const { db } = app.database;
  const draft = await makeDraft(db);
  const publishAt = new Date(nowMs + 3_600_000).toISOString();
  const planned = await admin.call("PUT", `/api/admin/videos/${draft.id}/schedule`, { publishAt });
  expect(planned.json).toMatchObject({ isPublished: false, publishAt, version: 2 });
  expect((await admin.call("GET", "/api/admin/videos?state=scheduled")).json.total).toBe(1);
  await publishPlanned({ ...app.context, clock });
  expect((await admin.call("GET", `/api/videos/${draft.id}`)).json.isPublished).toBe(false);

  nowMs += 3_600_000;
  await publishPlanned({ ...app.context, clock });
  const shown = await createClient(app.url).call("GET", `/api/videos/${draft.id}`);
  expect(shown.json).toMatchObject({ isPublished: true, publishedAt: publishAt });
  const entry = await db
    .selectFrom("audit_log")
    .selectAll()
    .where("entity_id", "=", draft.id)
    .where("action", "=", "video.published")
    .executeTakeFirstOrThrow();
  expect(entry.user_email).toContain("@example.test");
  const again = await admin.call("PUT", `/api/admin/videos/${draft.id}/schedule`, { publishAt });
  expect(again.status).toBe(409);
});

it("sums plays, likes and advertising per day, with the days before to compare", async () => {
  const { db } = app.database;
  const row = await makeVideo(db, { title: "Counted" });
  for (const [hour, views] of [
    [`${dateOf(0)}T00:00:00Z`, 3],
    [`${dateOf(1)}T23:00:00Z`, 4],
    [`${dateOf(12)}T10:00:00Z`, 8],
  ] as const) {
    const sums = { hour: new Date(hour), views, likes: 1, watch_time_s: views * 10 };
    await db.insertInto("site_stats_hourly").values(sums).execute();
    await db
      .insertInto("video_stats_hourly")
      .values({ ...sums, video_id: row.id })
      .execute();
  }
  const { json } = await admin.call("GET", "/api/admin/statistics?days=7");
  expect(json.days).toHaveLength(7);
  expect(json.days.slice(-2)).toMatchObject([
    { date: dateOf(1), plays: 4, watchTimeS: 40, likes: 1 },
    { date: dateOf(0), plays: 3, watchTimeS: 30, likes: 1 },
  ]);
  expect(json.before).toMatchObject({ plays: 8, watchTimeS: 80 });
  expect(json.topVideos).toMatchObject([{ title: "Counted", plays: 7 }]);
  expect((await admin.call("GET", "/api/admin/statistics?days=8")).status).toBe(400);
});

it("tells of a video in work over server-sent events until it is done", async () => {
  const { db } = app.database;
  const row = await makeVideo(db, { status: "processing", progress: 0 });
  const stop = new AbortController();
  const cookie = [...admin.jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const response = await fetch(`${app.url}/api/admin/events`, {
    headers: { cookie },
    signal: stop.signal,
  });
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const heard = async (part: string) => {
    while (!text.includes(part)) text += (await reader?.read())?.value ?? "";
  };
  await heard("retry");
  await new Promise((resolve) => setTimeout(resolve, 1200));
  await db.updateTable("videos").set({ progress: 0.5 }).where("id", "=", row.id).execute();
  await heard('"progress":0.5');
  await db
    .updateTable("videos")
    .set({ status: "ready", progress: 1 })
    .where("id", "=", row.id)
    .execute();
  await heard('"status":"ready"');
  stop.abort();
});

it("refuses visitors and people without the role", async () => {
  const user = createClient(app.url, await app.signIn("USER"));
  const visitor = createClient(app.url);
  for (const { method, url } of app.routes) {
    if (!url.startsWith("/api/admin") && !url.startsWith("/api/uploads")) continue;
    if (method === "HEAD" || method === "OPTIONS") continue;
    const path = url.replace(":id", "00000000-0000-4000-8000-000000000000");
    const body = method === "GET" ? undefined : {};
    const answers = [await visitor.call(method, path, body), await user.call(method, path, body)];
    expect([method, path, ...answers.map(({ status }) => status)]).toEqual([
      method,
      path,
      401,
      403,
    ]);
  }
});
