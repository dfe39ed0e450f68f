import type { PlayOrigin } from "#contract/videos/play-origins.ts";
import { expect, it } from "vitest";
import { useTestDatabase } from "#test/database.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { newId } from "#server/lib/ids.ts";
import { readOrigins, readRetention, readVideoDays } from "./video-statistics.repository.ts";

const database = useTestDatabase();

it("shows how far engaged plays went, and nothing for an unknown video", async () => {
  const { db } = database;
  const { id } = await makeVideo(db, { duration_s: 100 });
  expect(await readRetention(db, id)).toMatchObject({ retentionPlays: 0 });
  const play = (watch_time_s: number, values = {}) => ({
    visitor_id: newId(),
    video_id: id,
    counted_at: new Date(),
    engaged: true,
    watch_time_s,
    ...values,
  });
  await db
    .insertInto("watches")
    .values([play(35), play(60), play(90, { completed: true }), play(99, { engaged: false })])
    .execute();
  const figures = await readRetention(db, id);
  expect(figures?.retentionPlays).toBe(3);
  expect(figures?.retention.map((share) => Math.round(share * 3))).toEqual([
    ...[3, 3, 3, 3, 2, 2, 2, 1, 1, 1, 1],
  ]);
  expect(await readRetention(db, newId())).toBeNull();
});

it("shows the origins of engaged plays and leaves out unknown origins", async () => {
  const { db } = database;
  const { id } = await makeVideo(db);
  const play = (origin: PlayOrigin | null, engaged = true) => ({
    visitor_id: newId(),
    video_id: id,
    counted_at: new Date(),
    engaged,
    origin,
  });
  await db
    .insertInto("watches")
    .values([
      ...[play("search"), play("feed"), play("search"), play("direct")],
      ...[play(null), play("embed", false)],
    ])
    .execute();
  expect(await readOrigins(db, id)).toEqual([
    { origin: "search", plays: 2 },
    { origin: "direct", plays: 1 },
    { origin: "feed", plays: 1 },
  ]);
});

it("sums plays by day from hourly and daily rows", async () => {
  const { db } = database;
  const { id } = await makeVideo(db);
  const now = new Date("2026-03-10T12:30:00Z");
  await db
    .insertInto("video_stats_hourly")
    .values({ video_id: id, hour: new Date("2026-03-10T11:00:00Z"), views: 2, watch_time_s: 30 })
    .execute();
  await db
    .insertInto("video_stats_daily")
    .values({ video_id: id, day: new Date("2026-03-08T00:00:00Z"), views: 5, watch_time_s: 50 })
    .execute();
  expect(await readVideoDays(db, id, { now, days: 3 })).toEqual([
    { date: "2026-03-08", plays: 5, watchTimeS: 50 },
    { date: "2026-03-09", plays: 0, watchTimeS: 0 },
    { date: "2026-03-10", plays: 2, watchTimeS: 30 },
  ]);
});
