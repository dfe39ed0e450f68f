import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { Trx } from "./connection.ts";

const scratch = "kinora_expected";

/**
 * Describes a schema: tables, columns, constraints, indexes, triggers, functions and sequences. The
 * schema must be first in the search path. Leaves out partitions, whose number depends on the time,
 * and objects of extensions.
 * @returns definitions by name.
 */
async function describeSchema(trx: Trx, schema: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string; definition: string }>`
    with relations as (
      select oid, relname, relkind, relpersistence, reloptions from pg_class
      where relnamespace = to_regnamespace(${schema}) and relkind in ('r', 'p') and not relispartition
        and relname not like 'kysely_migration%'
    )
    select 'table ' || relname as name,
      concat_ws(' ', relpersistence, reloptions, case when relkind = 'p' then pg_get_partkeydef(oid) end) as definition
    from relations
    union all
    select 'column ' || relname || '.' || attname, concat_ws(' ', format_type(atttypid, atttypmod),
      case when attnotnull then 'not null' end, nullif(attgenerated, ''), pg_get_expr(adbin, adrelid, true),
      nullif(attcollation, typcollation)::regcollation)
    from relations join pg_attribute on attrelid = relations.oid and attnum > 0 and not attisdropped
      join pg_type on pg_type.oid = atttypid
      left join pg_attrdef on adrelid = relations.oid and adnum = attnum
    union all
    select 'constraint ' || relname || '.' || conname, pg_get_constraintdef(pg_constraint.oid, true)
    from relations join pg_constraint on conrelid = relations.oid and contype <> 'n'
    union all
    select 'index ' || relname || '.' || (select relname from pg_class where oid = indexrelid),
      pg_get_indexdef(indexrelid, 0, true)
    from relations join pg_index on indrelid = oid
    union all
    select 'trigger ' || relname || '.' || tgname, pg_get_triggerdef(pg_trigger.oid, true)
    from relations join pg_trigger on tgrelid = relations.oid and not tgisinternal
    union all
    select 'function ' || proname || '(' || pg_get_function_identity_arguments(oid) || ')',
      concat_ws(' ', pg_get_function_result(oid), prolang, provolatile, proisstrict, proparallel, procost,
        proconfig, prosrc, case when prokind = 'f' then pg_get_function_sqlbody(oid) end)
    from pg_proc
    where pronamespace = to_regnamespace(${schema})
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
    union all
    select 'sequence ' || relname, concat_ws(' ', seqtypid::regtype, seqstart, seqincrement, seqmin, seqcycle)
    from pg_sequence join pg_class on pg_class.oid = seqrelid
    where relnamespace = to_regnamespace(${schema})`.execute(trx);
  return new Map(rows.map(({ name, definition }) => [name, definition]));
}

/**
 * Compares the schema with the one that migrations create in an empty database. Creates that one in
 * the same database and rolls it back, which requires permission to create a schema.
 * @returns one line per difference, or null without the permission.
 */
export async function compareWithFresh(
  trx: Trx,
  migrations: readonly Migration[],
): Promise<string[] | null> {
  const { rows } = await sql<{ own: string; extensions: string[]; can: boolean }>`
    select current_schema() as own, array(
        select distinct n.nspname::text from pg_extension e join pg_namespace n on n.oid = e.extnamespace
        where n.nspname <> 'pg_catalog') as extensions,
      has_database_privilege(current_database(), 'create') as can`.execute(trx);
  const { own = "public", extensions = [], can = false } = rows[0] ?? {};
  if (!can) return null;
  const found = await describeSchema(trx, own);
  await sql`savepoint compare_schema`.execute(trx);
  await sql`create schema ${sql.id(scratch)}`.execute(trx);
  const path = [scratch, ...extensions].map((name) => `"${name.replaceAll('"', '""')}"`);
  await sql`select set_config('search_path', ${path.join(", ")}, true)`.execute(trx);
  for (const { up } of migrations) await up(trx);
  const expected = await describeSchema(trx, scratch);
  await sql`rollback to savepoint compare_schema`.execute(trx);
  return [
    ...[...expected].flatMap(([name, definition]) => {
      const actual = found.get(name);
      if (actual === undefined) return [`${name} is missing`];
      return actual === definition ? [] : [`${name} differs`];
    }),
    ...[...found.keys()]
      .filter((name) => !expected.has(name))
      .map((name) => `${name} is not expected`),
  ].toSorted();
}
