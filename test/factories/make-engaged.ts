import type { DbOrTrx } from "#server/db/connection.ts";

/** Stores an engaged play of a visitor without counting it anywhere. */
export async function makeEngaged(
  db: DbOrTrx,
  visitorId: string,
  videoId: string,
  at: Date,
): Promise<void> {
  await db
    .insertInto("watches")
    .values({
      visitor_id: visitorId,
      video_id: videoId,
      counted_at: at,
      updated_at: at,
      engaged: true,
    })
    .execute();
}
