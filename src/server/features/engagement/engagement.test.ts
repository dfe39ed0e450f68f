import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createClient, useTestApp } from "#test/app.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { createRandom } from "#test/reference/random.ts";
import { newId } from "#server/lib/ids.ts";
import { addScores, engagedAfterS, eventScore } from "./engagement.ts";
import { readLikeStatus } from "./likes.repository.ts";
import { addRewards, reward, rewardScale } from "./rewards.ts";
import { addTrend, subtractTrend } from "./trend.repository.ts";
import { viewsPerAddress } from "./view-cap.ts";

let now = Date.now();

const app = useTestApp({ clock: { now: () => now, date: () => new Date(now) } });

const totals = (id: string) =>
  app.db
    .selectFrom("videos")
    .select(["views", "likes", "engaged", "completed", "watch_time_s", "trend", "rating"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();

describe("forward decay", () => {
  it("equals the sum that it represents for any order of events", () => {
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
    const video = await makeVideo(app.db, { trend: eventScore(3, now) });
    const score = sql<number>`${String(eventScore(4, now))}`;
    const run = (value: ReturnType<typeof addTrend>) =>
      app.db
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
  it("toggles a like for one visitor and counts all visitors' likes", async () => {
    const video = await makeVideo(app.db);
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

  it.each(["like", "favorite"])("keeps its visitor for a year after every %s", async (mark) => {
    const video = await makeVideo(app.db);
    const client = createClient(app.url);
    const cookies = async (call: string, body?: object) =>
      (await client.call("POST", `/api/videos/${video.id}/${call}`, body)).headers.getSetCookie();
    const first = await cookies(mark);
    expect(first).toEqual([expect.stringMatching(/^visitor=.*; Max-Age=31536000;/)]);
    expect(await cookies(mark)).toEqual(first);
    expect(await cookies("watch", { watchTime: 0, completed: false })).toEqual([]);
  });

  it("counts a like in rankings once its visitor has watched the video", async () => {
    const video = await makeVideo(app.db, { duration_s: 60 });
    const client = createClient(app.url);
    const path = `/api/videos/${video.id}`;
    const like = () => client.call("POST", `${path}/like`);
    await like();
    expect(await totals(video.id)).toMatchObject({ likes: 1, rating: 0, trend: -Infinity });
    await client.call("POST", `${path}/watch`, { watchTime: 0, completed: false });
    now += 30_000;
    await client.call("POST", `${path}/watch`, { watchTime: 30, completed: false });
    const liked = await totals(video.id);
    expect(liked).toMatchObject({ likes: 1, engaged: 1 });
    expect(liked.rating).toBeCloseTo(0.2065, 3);
    // Counts one view and one like.
    expect(liked.trend).toBeCloseTo(eventScore(5, now), 2);
    await like();
    expect(await totals(video.id)).toMatchObject({ likes: 0, rating: 0 });
    await like();
    expect(await totals(video.id)).toMatchObject({ likes: 1, rating: liked.rating });
  });

  it("counts concurrent clicks of one visitor exactly", async () => {
    const video = await makeVideo(app.db);
    const client = createClient(app.url);
    const path = `/api/videos/${video.id}/like`;
    await client.call("POST", path);
    await Promise.all(Array.from({ length: 21 }, () => client.call("POST", path)));
    const { likes } = await totals(video.id);
    const { n } = await app.db
      .selectFrom("likes")
      .select((eb) => eb.fn.countAll<number>().as("n"))
      .where("video_id", "=", video.id)
      .executeTakeFirstOrThrow();
    expect(likes).toBe(n);
    expect([0, 1]).toContain(likes);
  });

  it("returns 404 for the likes of a deleted video", async () => {
    const status = readLikeStatus(app.db, newId(), null);
    await expect(status).rejects.toMatchObject({ code: "not_found" });
  });

  it("ignores a forged visitor cookie", async () => {
    const video = await makeVideo(app.db);
    const client = createClient(app.url);
    await client.call("POST", `/api/videos/${video.id}/like`);
    const [id] = (client.jar.get("visitor") ?? "").split(".");
    const forged = createClient(app.url, `visitor=${id}.AAAAAAAAAAAAAAAAAAAAAA`);
    const response = await forged.call("GET", `/api/videos/${video.id}/like`);
    expect(response.json.liked).toBe(false);
  });
});

describe("watch reports", () => {
  it("counts one view per visitor and video in 30 minutes", async () => {
    const video = await makeVideo(app.db);
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

  it("counts one view of an embed on another site, which carries the visitor instead of a cookie", async () => {
    const video = await makeVideo(app.db, { duration_s: 60 });
    const send = (body: object, headers = {}) =>
      createClient(app.url).call("POST", `/api/videos/${video.id}/watch`, body, headers);
    const begin = { watchTime: 0, completed: false };
    const first = await send({ ...begin, origin: "embed" });
    expect(first.json).toEqual({ counted: true, visitor: expect.any(String) });
    now += 60_000;
    const end = { watchTime: 60, completed: true, origin: "embed" };
    const second = await send(end, { "x-visitor": first.json.visitor });
    expect(second.json).toEqual({ counted: false });
    expect(await totals(video.id)).toMatchObject({ views: 1, completed: 1, watch_time_s: 60 });
    expect((await send({ ...begin, origin: "direct" })).json).toEqual({ counted: true });
  });

  it("stores the origin of a view, but not of other reports", async () => {
    const video = await makeVideo(app.db);
    const client = createClient(app.url);
    const origins = async () => {
      const rows = await app.db
        .selectFrom("watches")
        .select("origin")
        .where("video_id", "=", video.id)
        .execute();
      return rows.map(({ origin }) => origin);
    };
    const report = (origin?: string) =>
      client.call("POST", `/api/videos/${video.id}/watch`, {
        watchTime: 0,
        completed: false,
        origin,
      });
    expect((await report("search")).json).toEqual({ counted: true });
    expect((await report("feed")).json).toEqual({ counted: false });
    expect(await origins()).toEqual(["search"]);
    now += 30 * 60_000;
    expect((await report()).json).toEqual({ counted: true });
    expect(await origins()).toEqual([null]);
    expect((await report("https://other.example/")).status).toBe(400);
  });

  it("counts each viewer and second once and each completion once per view", async () => {
    const video = await makeVideo(app.db, { duration_s: 60 });
    const client = createClient(app.url);
    const path = `/api/videos/${video.slug}/watch`;
    await client.call("POST", path, { watchTime: 0, completed: false });
    now += 60_000;
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

  it.each([
    [60, []],
    [60, [20, 35]],
    [120, [25, 55, 85, 115]],
  ])("counts one view of a video of %i minutes, hidden after %j", async (minutes, hiddenAt) => {
    const video = await makeVideo(app.db, { duration_s: minutes * 60 });
    const client = createClient(app.url);
    const report = (minute: number, completed = false) =>
      client.call("POST", `/api/videos/${video.id}/watch`, { watchTime: minute * 60, completed });
    const began = now;
    for (const minute of [0, ...hiddenAt, minutes]) {
      now = began + minute * 60_000;
      await report(minute, minute === minutes);
    }
    const once = { views: 1, engaged: 1, completed: 1, watch_time_s: minutes * 60 };
    expect(await totals(video.id)).toMatchObject(once);
    // Reports that can't continue that play, because they claim less or come much later.
    now += 31 * 60_000;
    await report(1);
    expect(await totals(video.id)).toMatchObject({ views: 2, watch_time_s: minutes * 60 + 60 });
    now += 24 * 3_600_000;
    await report(2);
    expect((await totals(video.id)).views).toBe(3);
  });

  it("counts every view of many concurrent visitors", async () => {
    const videos = await Promise.all([1, 2, 3].map(() => makeVideo(app.db)));
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
    }>`select sum(views)::int as n from site_stats_hourly`.execute(app.db);
    expect(rows[0]?.n).toBeGreaterThanOrEqual(150);
  });

  it("limits the views from one address even if it discards many cookies", async () => {
    const video = await makeVideo(app.db);
    const report = (addressKey: string) =>
      app.context.watches.report({
        visitorId: newId(),
        videoId: video.id,
        watchTimeS: 0,
        isCompleted: false,
        addressKey,
        addressGroup: addressKey,
      });
    const responses = await Promise.all(
      Array.from({ length: viewsPerAddress + 40 }, () => report("one address")),
    );
    expect(responses.filter(Boolean)).toHaveLength(viewsPerAddress);
    expect(await report("another address")).toBe(true);
    expect((await totals(video.id)).views).toBe(viewsPerAddress + 1);
  });

  it("rejects invalid reports and unlisted videos", async () => {
    const video = await makeVideo(app.db);
    const draft = await makeVideo(app.db, { is_published: false });
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

describe("rewards", () => {
  const sums = async (id: string) => {
    const row = await app.db
      .selectFrom("videos")
      .select(["reward_sum", "reward_count"])
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    const scale = rewardScale(now);
    return { sum: row.reward_sum / scale, count: row.reward_count / scale };
  };
  const watch = (
    client: ReturnType<typeof createClient>,
    id: string,
    watchTime: number,
    completed = false,
  ) => client.call("POST", `/api/videos/${id}/watch`, { watchTime, completed });
  const makeSome = (count: number) =>
    Promise.all(Array.from({ length: count }, () => makeVideo(app.db, { duration_s: 60 })));

  it("counts no implausible completions", async () => {
    const [video, other] = await makeSome(2);
    if (video === undefined || other === undefined) throw new Error("no videos");
    for (let number = 0; number < 60; number += 1) {
      const client = createClient(app.url);
      const { status, json } = await watch(client, video.id, 60, true);
      // Some visitors have already played another video. Only the claimed watch time is implausible.
      if (number % 2 === 0) await watch(client, other.id, 0);
      expect([status, json.counted]).toEqual([202, true]);
    }
    expect(await sums(video.id)).toEqual({ sum: 0, count: 0 });
    expect(await totals(video.id)).toMatchObject({ completed: 0, engaged: 0, views: 60 });
  });

  it("removes a play that claims more time than has passed since it began", async () => {
    const [video, other] = await makeSome(2);
    if (video === undefined || other === undefined) throw new Error("no videos");
    const client = createClient(app.url);
    await watch(client, other.id, 0);
    await watch(client, video.id, 0);
    expect((await sums(video.id)).count).toBeCloseTo(0.1, 6);
    now += 10_000;
    await watch(client, video.id, 60, true);
    expect(await sums(video.id)).toEqual({ sum: 0, count: 0 });
    now += 60_000;
    await watch(client, video.id, 60, true);
    expect(await sums(video.id)).toEqual({ sum: 0, count: 0 });
    expect((await totals(video.id)).completed).toBe(1);
  });

  it("weighs a visitor's plays more after watched videos", async () => {
    const [video, second, third] = await makeSome(3);
    if (video === undefined || second === undefined || third === undefined) {
      throw new Error("no videos");
    }
    const client = createClient(app.url);
    const engage = async (id: string) => {
      await watch(client, id, 0);
      now += 30_000;
      await watch(client, id, 30);
    };
    await engage(video.id);
    expect((await sums(video.id)).sum).toBeCloseTo(0.05, 4);
    await client.call("POST", `/api/videos/${video.id}/like`);
    expect((await sums(video.id)).sum).toBeCloseTo(0.07, 4);
    await engage(second.id);
    await expect.poll(async () => (await sums(video.id)).count).toBeCloseTo(0.5, 3);
    await engage(third.id);
    await expect.poll(async () => (await sums(video.id)).count).toBeCloseTo(1, 2);
    expect((await sums(third.id)).count).toBeCloseTo(1, 2);
    expect((await sums(video.id)).sum).toBeCloseTo(0.7, 2);
    await client.call("POST", `/api/videos/${video.id}/like`);
    expect((await sums(video.id)).sum).toBeCloseTo(0.5, 2);
  });

  it("equals the sum of the stored plays", async () => {
    const random = createRandom(7);
    const videos = await makeSome(4);
    const clients = Array.from({ length: 6 }, () => createClient(app.url));
    for (const client of clients) await watch(client, videos[0]?.id ?? "", 0);
    for (let step = 0; step < 80; step += 1) {
      const { id } = random.pick(videos);
      const client = random.pick(clients);
      now += random.pick([2000, 20_000, 31 * 60_000, 3 * 86_400_000]);
      if (random.next() < 0.2) await client.call("POST", `/api/videos/${id}/like`);
      else await watch(client, id, random.below(70), random.next() < 0.3);
    }
    await app.context.watches.drain();
    const kept = await Promise.all(videos.map(({ id }) => sums(id)));
    await sql`update videos set reward_sum = 0, reward_count = 0`.execute(app.db);
    await sql`select fill_rewards(${new Date(now)}::timestamptz)`.execute(app.db);
    for (const [at, { id }] of videos.entries()) {
      const filled = await sums(id);
      expect(kept[at]?.sum).toBeCloseTo(filled.sum, 6);
      expect(kept[at]?.count).toBeCloseTo(filled.count, 6);
    }
  });

  it("limits the weight of old plays, so that a video that turns bad falls soon", () => {
    const add = (times: number, sum: number, kept = { sum: 0, count: 0 }) => {
      let sums = kept;
      const scale = rewardScale(now);
      for (let time = 0; time < times; time += 1) {
        sums = addRewards(sums, { sum: sum * scale, count: scale }, now);
      }
      return sums;
    };
    const good = add(5000, 0.8);
    expect(good.count / rewardScale(now)).toBeCloseTo(reward.playsMax);
    const turned = add(reward.playsMax, 0.1, good);
    expect(turned.sum / turned.count).toBeLessThan(0.37);
  });
});
