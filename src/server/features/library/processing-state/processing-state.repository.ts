import { sql } from "kysely";
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

/** Adds those that are not there. */
export async function addNotices(db: DbOrTrx, id: string, notices: string[]): Promise<void> {
  if (notices.length === 0) return;
  await sql`
    update videos set media_notices = media_notices || array(
      select notice from unnest(${notices}::text[]) as notice
      where notice <> all(media_notices))
    where id = ${id}`.execute(db);
}
