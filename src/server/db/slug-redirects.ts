import type { LabelKind } from "#contract/lists/labels.ts";
import type { DbOrTrx } from "./connection.ts";

type RedirectKind = LabelKind | "videos";

/** Returns the id of the video or label that used to have this slug, or null. */
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
