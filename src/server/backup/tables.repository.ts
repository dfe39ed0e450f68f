import { sql } from "kysely";
import type { DbOrTrx, Trx } from "#server/db/connection.ts";
import { liftTimeouts, listApplied } from "#server/db/migrate.ts";

/** Table in a backup. */
export interface BackupTable {
  name: string;
  columns: { name: string; type: string }[];
}

export interface BackupSequence {
  name: string;
  value: string;
  isCalled: boolean;
}

/** Partition of a table. The backup stores its rows with the parent. */
export interface BackupPartition {
  name: string;
  parent: string;
  /** Bound as in `create table`: `FOR VALUES FROM ('2026-11-01 ...') TO ('2026-12-01 ...')`. */
  bound: string;
}

/**
 * Leaves out migrations, which are restored separately, and unlogged tables, whose content may be
 * lost in a crash. Also leaves out storage locations and unfinished uploads, which belong to this
 * site rather than its content, and retired files, which aren't backed up.
 */
const listTables = `
  select c.relname as name, json_agg(json_build_object(
      'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum) as columns,
    array(select distinct f.confrelid::regclass::text from pg_constraint f
      where f.contype = 'f' and f.conrelid = c.oid and f.confrelid <> c.oid) as parents
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
    and not a.attisdropped and a.attgenerated = ''
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relpersistence = 'p' and c.relname not like 'kysely_migration%'
    and c.relname not in ('media_storage', 'moved_media', 'published_media', 'retired_files', 'staged_uploads', 'staged_upload_parts')
  group by c.oid, c.relname
  order by c.relname`;

/** Returns all tables with their columns, referenced ones first. */
export async function listBackupTables(db: DbOrTrx): Promise<BackupTable[]> {
  const { rows } = await sql.raw<BackupTable & { parents: string[] }>(listTables).execute(db);
  const ordered: BackupTable[] = [];
  const isPlaced = (name: string) => ordered.some((table) => table.name === name);
  for (let left = rows; left.length > 0;) {
    const ready = left.filter(({ parents }) => parents.every(isPlaced));
    if (ready.length === 0) throw new Error("The tables refer to each other in a cycle.");
    ordered.push(...ready.map(({ name, columns }) => ({ name, columns })));
    left = left.filter((table) => !ready.includes(table));
  }
  return ordered;
}

/** Returns the partitions. Requires `setTextFormats`, because bounds contain times. */
export async function listBackupPartitions(trx: Trx): Promise<BackupPartition[]> {
  const { rows } = await sql<BackupPartition>`
    select c.relname as name, p.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
    where p.relnamespace = current_schema()::regnamespace and p.relkind = 'p'
    order by c.relname`.execute(trx);
  return rows;
}

export async function listSequences(db: DbOrTrx): Promise<BackupSequence[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'S'
    order by relname`.execute(db);
  const sequences: BackupSequence[] = [];
  for (const { name } of rows) {
    const state = await sql<{ value: string; isCalled: boolean }>`
      select last_value::text as value, is_called as "isCalled" from ${sql.table(name)}`.execute(
      db,
    );
    sequences.push(...state.rows.map((row) => ({ name, ...row })));
  }
  return sequences;
}

/** Makes all following reads in this transaction see the same state of the database. */
export async function beginSnapshot(trx: Trx): Promise<void> {
  await sql`set transaction isolation level repeatable read, read only`.execute(trx);
  await liftTimeouts(trx);
  await setTextFormats(trx);
}

/** Sets the options that affect how values are written as text. */
async function setTextFormats(trx: Trx): Promise<void> {
  await sql`set local timezone = 'UTC'`.execute(trx);
  await sql`set local datestyle = 'ISO'`.execute(trx);
  await sql`set local intervalstyle = 'postgres'`.execute(trx);
  await sql`set local extra_float_digits = 1`.execute(trx);
}

/** Yields the rows of a table as lines: JSON arrays of their values as text. */
export async function* readRows(
  trx: Trx,
  { name, columns }: BackupTable,
): AsyncGenerator<string[]> {
  const values = columns.map((column) => sql`${sql.ref(column.name)}::text`);
  await sql`declare backup_rows no scroll cursor for
    select array_to_json(array[${sql.join(values)}]::text[])::text as line
    from ${sql.table(name)}`.execute(trx);
  const fetch = sql<{ line: string }>`fetch 2000 from backup_rows`;
  for (;;) {
    const { rows } = await fetch.execute(trx);
    if (rows.length === 0) break;
    yield rows.map(({ line }) => line);
  }
  await sql`close backup_rows`.execute(trx);
}

/**
 * Deletes the rows that migrations wrote, creates the backup's partitions, and disables triggers
 * until `endRestore`.
 */
export async function beginRestore(
  trx: Trx,
  tables: readonly BackupTable[],
  partitions: readonly BackupPartition[],
): Promise<void> {
  await liftTimeouts(trx);
  await setTextFormats(trx);
  for (const { name } of await listBackupPartitions(trx)) {
    await sql`drop table ${sql.table(name)}`.execute(trx);
  }
  for (const { name, parent, bound } of partitions) {
    await sql`create table ${sql.table(name)} partition of ${sql.table(parent)}
      ${sql.raw(bound)}`.execute(trx);
  }
  const names = tables.map(({ name }) => sql.table(name));
  // Unlogged tables, which aren't backed up, may refer to them.
  await sql`truncate ${sql.join(names)} cascade`.execute(trx);
  for (const name of names) await sql`alter table ${name} disable trigger user`.execute(trx);
}

export async function endRestore(
  trx: Trx,
  tables: readonly BackupTable[],
  sequences: readonly BackupSequence[],
): Promise<void> {
  for (const { name } of tables) {
    await sql`alter table ${sql.table(name)} enable trigger user`.execute(trx);
  }
  for (const { name, value, isCalled } of sequences) {
    await sql`select setval(${name}::regclass, ${value}::bigint, ${isCalled})`.execute(trx);
  }
}

/** @param lines rows returned by `readRows`. */
export async function writeRows(
  trx: Trx,
  { name, columns }: BackupTable,
  lines: readonly string[],
): Promise<void> {
  const values = columns.map(({ type }, at) => sql`(line ->> ${sql.lit(at)})::${sql.raw(type)}`);
  await sql`insert into ${sql.table(name)}
    (${sql.join(columns.map((column) => sql.ref(column.name)))})
    select ${sql.join(values)} from json_array_elements(${`[${lines.join(",")}]`}::json) as line`.execute(
    trx,
  );
}

/** Returns whether the site has no users, videos or changed settings, or no tables at all. */
export async function isSiteEmpty(db: DbOrTrx): Promise<boolean> {
  if ((await listApplied(db)).length === 0) return true;
  const { rows } = await sql<{ empty: boolean }>`
    select not exists (select from users) and not exists (select from videos) as empty`.execute(db);
  return rows[0]?.empty === true;
}

/** Returns whether another Kinora process is connected to this database. */
export async function isInUse(db: DbOrTrx): Promise<boolean> {
  const { rows } = await sql<{ used: boolean }>`
    select exists (select from pg_stat_activity
      where datname = current_database() and application_name like 'kinora%'
        and pid <> pg_backend_pid()) as used`.execute(db);
  return rows[0]?.used === true;
}

export async function readDatabaseBytes(db: DbOrTrx): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select pg_database_size(current_database()) as bytes`.execute(db);
  return rows[0]?.bytes ?? 0;
}
