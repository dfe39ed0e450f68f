import type { DbOrTrx, Trx } from "#server/db/connection.ts";

/** Returns the id of the video that used to have this slug, or null. */
export async function findMovedId(db: DbOrTrx, slug: string): Promise<string | null> {
  const row = await db
    .selectFrom("slug_redirects")
    .select("target_id")
    .where("kind", "=", "videos")
    .where("slug", "=", slug)
    .executeTakeFirst();
  return row?.target_id ?? null;
}

/** Returns whether another video has this slug. */
export async function isSlugTaken(trx: Trx, slug: string, exceptId: string): Promise<boolean> {
  const row = await trx
    .selectFrom("videos")
    .select("id")
    .where("slug", "=", slug)
    .where("id", "<>", exceptId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Redirects a video's old slug to the video, and removes redirects from its new slug. */
export async function moveSlug(
  trx: Trx,
  { id, from, to }: { id: string; from: string; to: string },
): Promise<void> {
  await trx
    .deleteFrom("slug_redirects")
    .where("kind", "=", "videos")
    .where("slug", "=", to)
    .execute();
  await trx
    .insertInto("slug_redirects")
    .values({ kind: "videos", slug: from, target_id: id })
    .onConflict((conflict) => conflict.columns(["kind", "slug"]).doUpdateSet({ target_id: id }))
    .execute();
}
