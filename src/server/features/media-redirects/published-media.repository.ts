import { sql } from "kysely";
import type { Db } from "#server/db/connection.ts";

/** Records that public copies of a video's files may exist. */
export async function notePublished(db: Db, mediaToken: string): Promise<void> {
  await db
    .insertInto("published_media")
    .values({ media_token: mediaToken })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Returns videos that have public copies but that visitors may no longer see. */
export async function listWithdrawn(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom("published_media")
    .select("media_token")
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("videos")
            .select("videos.id")
            .whereRef("videos.media_token", "=", "published_media.media_token")
            .where("videos.is_reachable", "=", true)
            // A public copy can't check the visitor's country.
            .where(sql<boolean>`videos.closed_countries = '{}'`)
            // Nor can it check a pass.
            .where(sql<boolean>`not (videos.is_premium
              and exists (select from settings where premium_access = 'members'))`)
            .where(sql<boolean>`not exists (select from settings where blocked_countries <> '{}')`),
        ),
      ),
    )
    .execute();
  return rows.map(({ media_token: token }) => token);
}

export async function forgetPublished(db: Db, mediaToken: string): Promise<void> {
  await db.deleteFrom("published_media").where("media_token", "=", mediaToken).execute();
}
