import { sql, type Kysely } from "kysely";

const gaps = "[[:space:],،，、]+";

/**
 * Replaces commas in names of labels with spaces, because forms split names at them. Slugs stay, as
 * both give hyphens. Names that another label would then have stay too.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const kind of ["categories", "tags", "actors"]) {
    const table = sql.table(kind);
    const { rows } = await sql<{ id: string }>`
      select id from ${table} where name ~ '[,،，、]' order by id`.execute(db);
    for (const { id } of rows) {
      await sql`
        with clean as (
          select btrim(regexp_replace(name, ${gaps}, ' ', 'g')) as name,
            btrim(regexp_replace(coalesce(folded_name, lower(name)), ${gaps}, ' ', 'g')) as folded
          from ${table} where id = ${id}
        )
        update ${table} t set name = clean.name, folded_name = clean.folded from clean
        where t.id = ${id} and clean.name <> ''
          and not exists (select from ${table} o where o.id <> ${id}
            and (o.folded_name = clean.folded or lower(o.name) = lower(clean.name)))`.execute(db);
    }
  }
}
