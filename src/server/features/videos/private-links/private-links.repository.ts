import type { DbOrTrx, Trx } from "#server/db/connection.ts";

/** Returns the published private video with this secret address, or null. */
export async function findLinkedVideo(
  db: DbOrTrx,
  secret: string,
  at: Date,
): Promise<{ id: string; mediaToken: string } | null> {
  const row = await db
    .selectFrom("videos")
    .select(["id", "media_token as mediaToken"])
    .where("link_secret", "=", secret)
    .where("is_linkable", "=", true)
    .where((eb) => eb.or([eb("link_expires_at", "is", null), eb("link_expires_at", ">", at)]))
    .executeTakeFirst();
  return row ?? null;
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
