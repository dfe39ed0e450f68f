import { sql } from "kysely";
import { expect, it } from "vitest";
import { useTestDatabase } from "#test/database.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { makeEngaged } from "#test/factories/make-engaged.ts";
import { listPartitions } from "#server/db/partitions.ts";
import { newId } from "#server/lib/ids.ts";
import { createHistoryUpkeepJob } from "./engagement.feature.ts";
import { createLikesService } from "./likes.service.ts";
import { createWatchService } from "./watch.service.ts";

const dayMs = 86_400_000;
const startMs = Math.floor(Date.now() / dayMs) * dayMs + dayMs / 2;

let nowMs = startMs;
const clock = { now: () => nowMs, date: () => new Date(nowMs) };

const database = useTestDatabase();

/** Runs the job at the current test time, after moving the ranges of lists there. */
async function runUpkeep(): Promise<void> {
  const { db } = database;
  await sql`select move_ranking_window(${clock.date()})`.execute(db);
  const job = createHistoryUpkeepJob({ db, clock, historyMonths: 12 });
  await job.run({}, { signal: new AbortController().signal });
}

const countRows = async (table: string) => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from ${sql.table(table)}`.execute(database.db);
  return rows[0]?.n;
};

const sumOfTotals = async (videoId: string) => {
  const { rows } = await sql<{ views: number; likes: number }>`
    select sum(views)::int as views, sum(likes)::int as likes from (
      select views, likes from video_stats_hourly where video_id = ${videoId}
      union all select views, likes from video_stats_daily where video_id = ${videoId}
    ) parts`.execute(database.db);
  return rows[0];
};

it("keeps totals, one row per visitor and video, and the hours of the last month", async () => {
  const { db } = database;
  const watches = createWatchService({ db, clock });
  const likes = createLikesService({ db, clock });
  const { id: videoId } = await makeVideo(db, { duration_s: 60 });
  const visitorId = newId();
  const report = async (visitor: string, isCompleted: boolean) => {
    const play = {
      visitorId: visitor,
      videoId,
      addressKey: "one address",
      addressGroup: "one group",
    };
    const isView = await watches.report({ ...play, watchTimeS: 0, isCompleted: false });
    nowMs += 30_000;
    await watches.report({ ...play, watchTimeS: 30, isCompleted });
    return isView;
  };

  // One visitor returns every 40 days for 14 months, another one only once.
  for (let visit = 0; visit < 11; visit += 1) {
    await runUpkeep();
    expect(await report(visitorId, false)).toBe(true);
    expect(await report(visitorId, true)).toBe(false);
    expect(await report(newId(), false)).toBe(true);
    if (visit === 0) await likes.toggle({ videoId, visitorId, addressGroup: "one group" });
    nowMs += 40 * dayMs;
  }
  await runUpkeep();
  expect(await countRows("video_stats_hourly")).toBe(0);
  expect(await report(newId(), false)).toBe(true);
  nowMs += 10 * dayMs;
  await runUpkeep();
  expect(await countRows("video_stats_hourly")).toBe(1);

  const video = await db
    .selectFrom("videos")
    .select(["views", "engaged", "completed", "likes"])
    .where("id", "=", videoId)
    .executeTakeFirstOrThrow();
  expect(video).toEqual({ views: 23, engaged: 13, completed: 11, likes: 1 });
  // Plays older than a year are dropped with their partition, including the first one.
  expect(await countRows("watches")).toBeLessThan(13);
  const { rows } = await sql`
    select completed from watches where visitor_id = ${visitorId}`.execute(db);
  expect(rows).toEqual([{ completed: true }]);
  expect(await countRows("watches_rest")).toBe(0);

  for (const table of ["watches", "video_stats_daily"]) {
    const [oldest] = await listPartitions(db, table);
    expect(oldest?.end.getTime()).toBeGreaterThan(nowMs - 366 * dayMs);
  }
});

it("subtracts a like from its day even if it is withdrawn after the day was folded", async () => {
  const { db } = database;
  const likes = createLikesService({ db, clock });
  const { id: videoId } = await makeVideo(db);
  const visitorId = newId();
  await makeEngaged(db, visitorId, videoId, new Date(nowMs));
  await likes.toggle({ videoId, visitorId, addressGroup: "one group" });
  expect(await sumOfTotals(videoId)).toEqual({ views: 0, likes: 1 });
  nowMs += 40 * dayMs;
  await runUpkeep();
  expect(await likes.toggle({ videoId, visitorId, addressGroup: "one group" })).toEqual({
    liked: false,
    likesCount: 0,
  });
  expect(await sumOfTotals(videoId)).toEqual({ views: 0, likes: 0 });
  await runUpkeep();
  expect(await sumOfTotals(videoId)).toEqual({ views: 0, likes: 0 });
  expect(await countRows("video_stats_hourly_rest")).toBe(0);
});

it("moves rows that arrived before their partition into it", async () => {
  const { db } = database;
  await makeVideo(db);
  nowMs += 200 * dayMs;
  const visitorId = newId();
  await db
    .insertInto("watches")
    .values({
      visitor_id: visitorId,
      video_id: newId(),
      counted_at: clock.date(),
      updated_at: clock.date(),
    })
    .execute();
  expect(await countRows("watches_rest")).toBe(1);
  await runUpkeep();
  expect(await countRows("watches_rest")).toBe(0);
  const found = await db
    .selectFrom("watches")
    .select("visitor_id")
    .where("visitor_id", "=", visitorId)
    .execute();
  expect(found).toHaveLength(1);
});
