import type { DbOrTrx } from "#server/db/connection.ts";

const pageSize = 200;

/** Returns the ids of videos after this one, ordered by id. */
export async function listVideoIdsAfter(db: DbOrTrx, after: string | null): Promise<string[]> {
  const rows = await db
    .selectFrom("videos")
    .select("id")
    .$if(after !== null, (query) => query.where("id", ">", after))
    .orderBy("id")
    .limit(pageSize)
    .execute();
  return rows.map(({ id }) => id);
}
