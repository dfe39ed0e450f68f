import { sql, type Kysely } from "kysely";
import { cleanName, hasVisibleText, nameSeparator } from "#contract/text.ts";
import { foldName } from "#server/lib/names.ts";

/**
 * Replaces commas in names of labels with spaces, because forms split names at them. Slugs stay, as
 * both give hyphens. Names that another label would then have stay too.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const kind of ["categories", "tags", "actors"]) {
    const table = sql.table(kind);
    const { rows } = await sql<{ id: string; name: string }>`
      select id, name from ${table} where name ~ ${nameSeparator.source} order by id`.execute(db);
    for (const { id, name } of rows) {
      const clean = cleanName(name.split(nameSeparator).join(" "));
      if (!hasVisibleText(clean)) continue;
      const folded = foldName(clean);
      await sql`
        update ${table} set name = ${clean}, folded_name = ${folded} where id = ${id}
          and not exists (select from ${table} where id <> ${id}
            and (folded_name = ${folded} or lower(name) = lower(${clean})))`.execute(db);
    }
  }
}
