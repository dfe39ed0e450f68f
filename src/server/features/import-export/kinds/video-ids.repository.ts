import type { DbOrTrx } from "#server/db/connection.ts";

const pageSize = 200;

/** The ids of the videos after this one, in the order of their ids. */
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
