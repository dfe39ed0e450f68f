import { sql, type ExpressionBuilder } from "kysely";
import type { Db, Trx } from "#server/db/connection.ts";
import type { Database } from "#server/db/schema.ts";

/** Records that public copies of a video's files may exist. */
export async function notePublished(db: Db, mediaToken: string): Promise<void> {
  await db
    .insertInto("published_media")
    .values({ media_token: mediaToken })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const isWithdrawn = ({ not, exists, selectFrom }: ExpressionBuilder<Database, "published_media">) =>
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
  );

/** Returns videos that have public copies but that visitors may no longer see. */
export async function listWithdrawn(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom("published_media")
    .select("media_token")
    .where(isWithdrawn)
    .execute();
  return rows.map(({ media_token: token }) => token);
}

/**
 * Records that a video has no public copies any more. Until the transaction ends, `notePublished`
 * waits for it.
 * @returns false if visitors may see the video again, or if it has no copies.
 */
export async function forgetWithdrawn(trx: Trx, mediaToken: string): Promise<boolean> {
  // Otherwise PostgreSQL keeps the transaction open for hours if the machine is lost.
  await sql`select set_config('idle_in_transaction_session_timeout', '5min', true)`.execute(trx);
  const { numDeletedRows } = await trx
    .deleteFrom("published_media")
    .where("media_token", "=", mediaToken)
    .where(isWithdrawn)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
