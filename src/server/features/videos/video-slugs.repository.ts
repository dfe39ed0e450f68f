import type { Trx } from "#server/db/connection.ts";
import { saveRedirect } from "#server/db/slug-redirects.ts";

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
  await saveRedirect(trx, "videos", from, id);
}
