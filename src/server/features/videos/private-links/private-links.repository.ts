import { sql } from "kysely";
import type { DbOrTrx, Trx } from "#server/db/connection.ts";

/** Returns the published private videos of these secret addresses, by secret. */
export async function readLinkedVideos(
  db: DbOrTrx,
  secrets: string[],
  at: Date,
): Promise<Map<string, { id: string; mediaToken: string }>> {
  const rows = await db
    .selectFrom("videos")
    .select(["link_secret as secret", "id", "media_token as mediaToken"])
    .where("link_secret", "=", sql<string>`any(${secrets}::text[])`)
    .where("is_linkable", "=", true)
    .where((eb) => eb.or([eb("link_expires_at", "is", null), eb("link_expires_at", ">", at)]))
    .execute();
  return new Map(rows.map(({ secret, ...row }) => [secret ?? "", row]));
}

/** @param link null removes the secret address. */
export async function saveLink(
  trx: Trx,
  videoId: string,
  link: { secret: string; expiresAt: Date | null } | null,
): Promise<void> {
  await trx
    .updateTable("videos")
    .set({ link_secret: link?.secret ?? null, link_expires_at: link?.expiresAt ?? null })
    .where("id", "=", videoId)
    .execute();
}
