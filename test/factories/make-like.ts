import type { DbOrTrx } from "#server/db/connection.ts";
import { newId } from "#server/lib/ids.ts";

/** Creates a like of this visitor and updates the count, like the API. */
export async function makeLike(
  db: DbOrTrx,
  videoId: string,
  visitorId?: string,
  at: Date = new Date(),
): Promise<void> {
  const visitor_id = visitorId ?? newId();
  await db.insertInto("likes").values({ video_id: videoId, visitor_id, created_at: at }).execute();
  await db
    .updateTable("videos")
    .set((update) => ({ likes: update("likes", "+", 1) }))
    .where("id", "=", videoId)
    .execute();
}
