import { sql, type Kysely } from "kysely";
import { foldName } from "#server/lib/names.ts";

/**
 * Labels are the same if their folded names are. Slugs of videos and labels may contain letters of
 * every script, so the checks only refuse ASCII signs, capitals and stray hyphens.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ["categories", "tags", "actors"]) {
    await sql`alter table ${sql.table(table)} add column folded_name text`.execute(db);
    const { rows } = await sql<{ id: string; name: string }>`
      select id, name from ${sql.table(table)}`.execute(db);
    await sql`
      update ${sql.table(table)} t set folded_name = given.folded
      from unnest(${rows.map(({ id }) => id)}::uuid[],
        ${rows.map(({ name }) => foldName(name))}::text[]) as given (id, folded)
      where t.id = given.id`.execute(db);
    await sql`
      create index ${sql.id(`${table}_folded_name_idx`)}
        on ${sql.table(table)} (folded_name)`.execute(db);
  }
  for (const table of ["videos", "categories", "tags", "actors"]) {
    const check = sql.id(`${table}_slug_check`);
    await sql`alter table ${sql.table(table)} drop constraint ${check}`.execute(db);
    await sql`
      alter table ${sql.table(table)} add constraint ${check}
        check (slug !~ '[!-,./:-@A-Z\\[-\`{-~[:space:]]|^-|--|-$|^$')`.execute(db);
  }
}
