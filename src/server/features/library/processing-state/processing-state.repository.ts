import type { DbOrTrx } from "../../../db/connection.ts";
import type { VideoRow } from "../videos.repository.ts";

/** Writes progress unless processing has ended: such a report may arrive late. */
export async function updateProgress(db: DbOrTrx, id: string, progress: number): Promise<void> {
  await db
    .updateTable("videos")
    .set({ progress, updated_at: new Date() })
    .where("id", "=", id)
    .where("progress", "<", 1)
    .execute();
}

export async function listUnfinished(db: DbOrTrx): Promise<Pick<VideoRow, "id" | "status">[]> {
  return db
    .selectFrom("videos")
    .select(["id", "status"])
    .where((eb) =>
      eb.or([
        eb("status", "=", "processing"),
        eb.and([eb("status", "=", "ready"), eb("progress", "<", 1)]),
      ]),
    )
    .execute();
}
