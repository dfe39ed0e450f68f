import { sql } from "kysely";
import { beforeAll, expect, it } from "vitest";
import { useTestDatabase } from "#test/database.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { rangeHours } from "#server/features/videos/query/list-order.ts";
import { addScores, engagementPoints, eventScore } from "./engagement.ts";
import { recomputeTrend } from "./trend.repository.ts";

/** Migrations contain the weights as fixed numbers. They must equal the constants in the code. */

const hourMs = 3_600_000;
const now = Date.parse("2026-06-10T12:00:00Z");
const counts = { views: 3, completed: 5, likes: 7 };
/** Views that count, and others that don't. */
const row = { ...counts, views: 13, unranked_views: 10 };

const database = useTestDatabase();
beforeAll(async () => {
  await sql`select move_ranking_window(${new Date(now)}::timestamptz)`.execute(database.db);
});

async function countIn(hours: number[]): Promise<string> {
  const { id } = await makeVideo(database.db);
  for (const hour of hours) {
    await database.db
      .insertInto("video_stats_hourly")
      .values({ video_id: id, hour: new Date(now - hour * hourMs), ...row })
      .execute();
  }
  return id;
}

it.each(["today", "week", "month"] as const)(
  "computes the scores of %s with the weights and the length of the range",
  async (range) => {
    const hours = rangeHours[range];
    // The last hour inside the range, and the first one outside.
    const id = await countIn([hours - 1, hours]);
    const { rows } = await sql<{ views: number; engagement: number }>`
      select ${sql.ref(`views_${range}`)} as views, ${sql.ref(`engagement_${range}`)} as engagement
      from video_range_scores where video_id = ${id}`.execute(database.db);
    expect(rows).toEqual([{ views: row.views, engagement: engagementPoints(counts) }]);
  },
);

it("computes the trend in SQL as the sum of the events", async () => {
  const hours = [0, 5, 30];
  const id = await countIn(hours);
  await database.db.transaction().execute((trx) => recomputeTrend(trx, id));
  const expected = hours.reduce((score, hour) => {
    const middleMs = now - hour * hourMs + hourMs / 2;
    return addScores(score, eventScore(engagementPoints(counts), middleMs));
  }, -Infinity);
  const { trend } = await database.db
    .selectFrom("videos")
    .select("trend")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  expect(trend).toBeCloseTo(expected, 9);
});
