import { sql, type Kysely } from "kysely";

const targets = [
  { table: "ads", column: "target_categories", kind: "categories" },
  { table: "campaigns", column: "target_categories", kind: "categories" },
  { table: "campaigns", column: "target_tags", kind: "tags" },
] as const;

/**
 * Replaces former slugs in the targets of ads and campaigns, which only match current ones. Renames
 * and merges now change targets, but earlier ones didn't.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const { table, column, kind } of targets) {
    const slugs = sql.id(column);
    await sql`
      with moved as (
        select r.slug as former, l.slug from slug_redirects r
        join ${sql.table(kind)} l on l.id = r.target_id
        where r.kind = ${kind}
          and not exists (select from ${sql.table(kind)} c where c.slug = r.slug)
      )
      update ${sql.table(table)} set version = version + 1, ${slugs} = array(
        select coalesce(moved.slug, given.slug)
        from unnest(${slugs}) with ordinality as given (slug, at)
        left join moved on former = given.slug
        group by 1 order by min(at))
      where ${slugs} && array(select former from moved)`.execute(db);
  }
}
