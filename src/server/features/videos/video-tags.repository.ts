import { sql } from "kysely";
import { labelKinds } from "#contract/lists/labels.ts";
import { labelTag, videoTag, type ChangeTag } from "#server/db/change-tags.ts";
import type { DbOrTrx } from "#server/db/connection.ts";
import { labelTables } from "#server/features/labels/label-kinds.ts";

/**
 * Returns the cache tags of these videos. For videos that visitors can see, also returns those of
 * all lists that may show them.
 */
export async function listVideoTags(db: DbOrTrx, ids: readonly string[]): Promise<ChangeTag[]> {
  const tags = ids.map(videoTag);
  const { rows: listed } = await sql`
    select from videos where id = any(${[...ids]}::uuid[]) and is_reachable limit 1`.execute(db);
  if (listed.length === 0) return tags;
  tags.push("videos");
  for (const kind of labelKinds) {
    const { join, column } = labelTables[kind];
    const { rows } = await sql<{ id: string }>`
      select distinct ${sql.ref(column)} as id from ${sql.table(join)}
      where video_id = any(${[...ids]}::uuid[]) and listed_at is not null`.execute(db);
    for (const { id } of rows) tags.push(labelTag(kind, id));
  }
  return tags;
}
