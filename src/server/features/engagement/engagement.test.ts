import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, startTestApp, type TestApp } from "../../../../test/app.ts";
import { makeVideo } from "../../../../test/factories/make-video.ts";
import { newId } from "../../lib/ids.ts";
import { addScores, engagedAfterS, eventScore } from "./engagement.ts";
import { addTrend, subtractTrend } from "./trend.repository.ts";
import { viewsPerAddress } from "./view-cap.ts";
import { midrollTimes } from "../library/midroll.ts";

let app: TestApp;
let now = Date.now();

beforeAll(async () => {
  app = await startTestApp({ clock: { now: () => now, date: () => new Date(now) } });
});
afterAll(() => app.stop());

const totals = (id: string) =>
  app.database.db
    .selectFrom("videos")
    .select(["views", "likes", "engaged", "completed", "watch_time_s", "trend", "rating"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();

describe("forward decay", () => {
  it("equals the sum that it represents, in any order of events", () => {
    const t0 = Date.parse("2026-05-01T00:00:00Z");
    const events = Array.from({ length: 50 }, (_, n) => ({
      w: 1 + (n % 4),
      at: t0 + n * 3_600_000,
    }));
    const exact = events.reduce((sum, { w, at }) => sum + w * 2 ** ((at - t0) / 86_400_000), 0);
    const add = (list: typeof events) =>
      list.reduce((score, { w, at }) => addScores(score, eventScore(w, at)), -Infinity);
    expect(add(events) - t0 / 86_400_000).toBeCloseTo(Math.log2(exact), 9);
    expect(add(events.toReversed())).toBeCloseTo(add(events), 9);
  });

  it("is the same in the database, and subtracting an event restores the value", async () => {
    const video = await makeVideo(app.database.db, { trend: eventScore(3, now) });
    const score = sql<number>`${String(eventScore(4, now))}`;
    const run = (value: ReturnType<typeof addTrend>) =>
      app.database.db
        .updateTable("videos")
        .set({ trend: value })
        .where("id", "=", video.id)
        .returning("trend")
        .executeTakeFirstOrThrow();
    const added = await run(addTrend(score));
    expect(added.trend).toBeCloseTo(eventScore(7, now), 9);
    expect((await run(subtractTrend(score))).trend).toBeCloseTo(eventScore(3, now), 9);
    const back = sql<number>`${String(eventScore(3, now))}`;
    expect((await run(subtractTrend(back))).trend).toBe(-Infinity);
  });
});

describe("likes", () => {
  it("toggle for one visitor and count for all", async () => {
    const video = await makeVideo(app.database.db);
    const one = createClient(app.url);
    const two = createClient(app.url);
    const path = `/api/videos/${video.slug}/like`;
    expect((await one.call("POST", path)).json).toEqual({ liked: true, likesCount: 1 });
    expect((await two.call("POST", path)).json).toEqual({ liked: true, likesCount: 2 });
    expect((await one.call("GET", path)).json).toEqual({ liked: true, likesCount: 2 });
    expect((await one.call("POST", path)).json).toEqual({ liked: false, likesCount: 1 });
    expect((await createClient(app.url).call("GET", path)).json).toEqual({
      liked: false,
      likesCount: 1,
    });
  });

  it("do not drift when one visitor clicks many times at once", async () => {
    const video = await makeVideo(app.database.db);
    const client = createClient(app.url);
    const path = `/api/videos/${video.id}/like`;
    await client.call("POST", path);
    await Promise.all(Array.from({ length: 21 }, () => client.call("POST", path)));
    const { likes } = await totals(video.id);
    const { n } = await app.database.db
      .selectFrom("likes")
      .select((eb) => eb.fn.countAll<number>().as("n"))
      .where("video_id", "=", video.id)
      .executeTakeFirstOrThrow();
    expect(likes).toBe(n);
    expect([0, 1]).toContain(likes);
  });

  it("need a genuine visitor cookie: a forged one is ignored", async () => {
    const video = await makeVideo(app.database.db);
    const client = createClient(app.url);
    await client.call("POST", `/api/videos/${video.id}/like`);
    const [id] = (client.jar.get("visitor") ?? "").split(".");
    const forged = createClient(app.url, `visitor=${id}.AAAAAAAAAAAAAAAAAAAAAA`);
    const response = await forged.call("GET", `/api/videos/${video.id}/like`);
    expect(response.json.liked).toBe(false);
  });
});

describe("watch reports", () => {
  it("count one view per visitor and video in 30 minutes", async () => {
    const video = await makeVideo(app.database.db);
    const client = createClient(app.url);
    const load = () =>
      client.call("POST", `/api/videos/${video.id}/watch`, { watchTime: 0, completed: false });
    const first = await load();
    expect(first.status).toBe(202);
    expect(first.json).toEqual({ counted: true });
    expect((await load()).json).toEqual({ counted: false });
    now += 29 * 60_000;
    expect((await load()).json).toEqual({ counted: false });
    now += 60_000;
    expect((await load()).json).toEqual({ counted: true });
    expect((await totals(video.id)).views).toBe(2);
  });

  it("count engaged viewers once, completions once a view, seconds once", async () => {
    const video = await makeVideo(app.database.db, { duration_s: 60 });
    const client = createClient(app.url);
    const path = `/api/videos/${video.slug}/watch`;
    await client.call("POST", path, { watchTime: 0, completed: false });
    await client.call("POST", path, { watchTime: 9, completed: false });
    expect(await totals(video.id)).toMatchObject({ engaged: 0, watch_time_s: 9 });
    await client.call("POST", path, { watchTime: 30, completed: false });
    await client.call("POST", path, { watchTime: 60, completed: true });
    await client.call("POST", path, { watchTime: 60, completed: true });
    expect(await totals(video.id)).toMatchObject({
      views: 1,
      engaged: 1,
      completed: 1,
      watch_time_s: 60,
    });
    expect(engagedAfterS(60)).toBe(10);
    expect(engagedAfterS(8)).toBe(4);
  });

  it("count every view when many visitors watch at once", async () => {
    const videos = await Promise.all([1, 2, 3].map(() => makeVideo(app.database.db)));
    const reports = Array.from({ length: 150 }, (_, n) => videos[n % 3]?.id ?? "");
    const responses = await Promise.all(
      reports.map((id) =>
        createClient(app.url).call("POST", `/api/videos/${id}/watch`, {
          watchTime: 1,
          completed: false,
        }),
      ),
    );
    expect(responses.every(({ json }) => json.counted === true)).toBe(true);
    for (const { id } of videos) expect((await totals(id)).views).toBe(50);
    const { rows } = await sql<{
      n: number;
    }>`select sum(views)::int as n from site_stats_hourly`.execute(app.database.db);
    expect(rows[0]?.n).toBeGreaterThanOrEqual(150);
  });

  it("count a limited number of views of one address, however many cookies it discards", async () => {
    const video = await makeVideo(app.database.db);
    const report = (addressKey: string) =>
      app.context.watches.report({
        visitorId: newId(),
        videoId: video.id,
        watchTimeS: 0,
        isCompleted: false,
        addressKey,
      });
    const responses = await Promise.all(
      Array.from({ length: viewsPerAddress + 40 }, () => report("one address")),
    );
    expect(responses.filter(Boolean)).toHaveLength(viewsPerAddress);
    expect(await report("another address")).toBe(true);
    expect((await totals(video.id)).views).toBe(viewsPerAddress + 1);
  });

  it("reject invalid reports, and videos that are not listed", async () => {
    const video = await makeVideo(app.database.db);
    const draft = await makeVideo(app.database.db, { is_published: false });
    const client = createClient(app.url);
    for (const body of [{ watchTime: -1, completed: false }, { watchTime: "5" }, {}, []]) {
      expect((await client.call("POST", `/api/videos/${video.id}/watch`, body)).status).toBe(400);
    }
    const response = await client.call("POST", `/api/videos/${draft.id}/watch`, {
      watchTime: 0,
      completed: false,
    });
    expect(response.status).toBe(404);
  });
});

describe("mid-rolls", () => {
  it("use the default times and stay inside the duration", () => {
    expect(midrollTimes(60, null)).toEqual([]);
    expect(midrollTimes(61, null)).toEqual([30.5]);
    expect(midrollTimes(121, null)).toEqual([30.25, 60.5]);
    expect(midrollTimes(200, null)).toEqual([50, 100, 150]);
    expect(midrollTimes(100, [90, 10, 10, 0, 100, 300])).toEqual([10, 90]);
  });
});
