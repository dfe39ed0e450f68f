import { sql } from "kysely";
import type { Db, Trx } from "./connection.ts";
import { listApplied, migrations } from "./migrate.ts";

const scratch = "kinora_expected";

/**
 * Returns the tables, columns, indexes and triggers of a schema, one line each. Leaves out
 * partitions.
 */
async function describeSchema(trx: Trx, schema: string): Promise<Set<string>> {
  const { rows } = await sql<{ line: string }>`
    with relations as (
      select oid, relname from pg_class
      where relnamespace = to_regnamespace(${schema}) and relkind in ('r', 'p') and not relispartition
        and relname not like 'kysely_migration%'
    )
    select 'column ' || relname || '.' || attname || ' ' || format_type(atttypid, atttypmod)
      || case when attnotnull then ' not null' else '' end as line
    from relations join pg_attribute on attrelid = oid and attnum > 0 and not attisdropped
    union all
    select 'index ' || relname || '.' || (select relname from pg_class where oid = indexrelid)
    from relations join pg_index on indrelid = oid
    union all
    select 'trigger ' || relname || '.' || tgname
    from relations join pg_trigger on tgrelid = relations.oid and not tgisinternal`.execute(trx);
  return new Set(rows.map(({ line }) => line));
}

/**
 * Compares the schema with a fresh one that the applied migrations create. The fresh schema is
 * created in the same database and rolled back, which requires permission to create a schema.
 * @returns one line per difference, or null without the permission.
 */
export async function findSchemaDifferences(db: Db): Promise<string[] | null> {
  const trx = await db.startTransaction().execute();
  try {
    const applied = new Set(await listApplied(trx));
    const { rows } = await sql<{ own: string; extensions: string[] }>`
      select current_schema() as own, array(
        select distinct n.nspname::text from pg_extension e join pg_namespace n on n.oid = e.extnamespace
        where n.nspname <> 'pg_catalog') as extensions`.execute(trx);
    const { own = "public", extensions = [] } = rows[0] ?? {};
    const found = await describeSchema(trx, own);
    const { rows: rights } = await sql<{ can: boolean }>`
      select has_database_privilege(current_database(), 'create') as can`.execute(trx);
    if (rights[0]?.can !== true) return null;
    await sql`create schema ${sql.id(scratch)}`.execute(trx);
    const path = [scratch, ...extensions].map((name) => `"${name.replaceAll('"', '""')}"`);
    await sql`select set_config('search_path', ${path.join(", ")}, true)`.execute(trx);
    for (const [name, { up }] of Object.entries(migrations)) if (applied.has(name)) await up(trx);
    const expected = await describeSchema(trx, scratch);
    return [
      ...[...expected].filter((line) => !found.has(line)).map((line) => `${line} is missing`),
      ...[...found].filter((line) => !expected.has(line)).map((line) => `${line} is not expected`),
    ].toSorted();
  } finally {
    await trx.rollback().execute();
  }
}
