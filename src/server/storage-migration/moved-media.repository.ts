import type { DbOrTrx } from "#server/db/connection.ts";

/** Returns the given objects that were already copied. */
export async function findMoved(db: DbOrTrx, keys: string[]): Promise<Set<string>> {
  const rows = await db.selectFrom("moved_media").select("key").where("key", "in", keys).execute();
  return new Set(rows.map(({ key }) => key));
}

export async function noteMoved(db: DbOrTrx, key: string): Promise<void> {
  await db
    .insertInto("moved_media")
    .values({ key })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function forgetMoved(db: DbOrTrx): Promise<void> {
  await db.deleteFrom("moved_media").execute();
}
