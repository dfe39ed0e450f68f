import type { LabelKind } from "#contract/lists/labels.ts";
import type { DbOrTrx } from "./connection.ts";

type RedirectKind = LabelKind | "videos" | "pages";

/** Returns the id of the video, label or page that used to have this slug, or null. */
export async function findRedirect(
  db: DbOrTrx,
  kind: RedirectKind,
  slug: string,
): Promise<string | null> {
  const row = await db
    .selectFrom("slug_redirects")
    .select("target_id")
    .where("kind", "=", kind)
    .where("slug", "=", slug)
    .executeTakeFirst();
  return row?.target_id ?? null;
}

export async function saveRedirect(
  db: DbOrTrx,
  kind: RedirectKind,
  slug: string,
  targetId: string,
): Promise<void> {
  await db
    .insertInto("slug_redirects")
    .values({ kind, slug, target_id: targetId })
    .onConflict((conflict) =>
      conflict.columns(["kind", "slug"]).doUpdateSet({ target_id: targetId }),
    )
    .execute();
}

/** Redirects an old slug to its video or page, and removes redirects from the new slug. */
export async function moveSlug(
  db: DbOrTrx,
  kind: RedirectKind,
  { id, from, to }: { id: string; from: string; to: string },
): Promise<void> {
  await db.deleteFrom("slug_redirects").where("kind", "=", kind).where("slug", "=", to).execute();
  await saveRedirect(db, kind, from, id);
}

export async function deleteRedirects(
  db: DbOrTrx,
  kind: RedirectKind,
  targetId: string,
): Promise<void> {
  await db
    .deleteFrom("slug_redirects")
    .where("kind", "=", kind)
    .where("target_id", "=", targetId)
    .execute();
}
