import { sql } from "kysely";
import type { Db, DbOrTrx, Trx } from "./connection.ts";

/**
 * Table partitioned by time. A partition is named after its end, `watches_to_20270101`, and starts
 * where the previous one ends. The first one has no start. Rows that fit into no other partition
 * are in `watches_rest`.
 */
export interface PartitionedTable {
  table: "watches" | "video_stats_hourly" | "video_stats_daily";
  /** Partitioning column. */
  column: string;
  unit: "day" | "month";
  /** Number of partitions to create in advance. */
  ahead: number;
}

export interface Partition {
  name: string;
  /** First moment after the partition. */
  end: Date;
}

/**
 * Short, because a statement that waits for a lock blocks later ones. Upkeep gives up and retries.
 */
const lockTimeout = "1s";

/** Returns a table's partitions, oldest first. */
export async function listPartitions(db: DbOrTrx, table: string): Promise<Partition[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${table}::regclass and c.relname ~ '_to_\\d{8}$' order by 1`.execute(db);
  return rows.map(({ name }) => {
    const [, year, month, day] = /_to_(\d{4})(\d\d)(\d\d)$/.exec(name) ?? [];
    return { name, end: new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))) };
  });
}

/** Creates the partitions up to `ahead` units from now, and one for any time that has none. */
export async function addPartitions(db: Db, split: PartitionedTable, now: Date): Promise<void> {
  let end = (await listPartitions(db, split.table)).at(-1)?.end;
  if (end === undefined) throw new Error(`${split.table} has no partitions`);
  const today = addUnits(now, split.unit, 0);
  if (end < today) {
    await addPartition(db, split, end, today);
    end = today;
  }
  const horizon = addUnits(now, split.unit, split.ahead);
  while (end < horizon) {
    const begin = end;
    end = addUnits(begin, split.unit, 1);
    await addPartition(db, split, begin, end);
  }
}

const addUnits = (time: Date, unit: "day" | "month", count: number): Date =>
  new Date(
    Date.UTC(
      time.getUTCFullYear(),
      time.getUTCMonth() + (unit === "month" ? count : 0),
      unit === "month" ? 1 : time.getUTCDate() + count,
    ),
  );

async function addPartition(
  db: Db,
  { table, column }: PartitionedTable,
  begin: Date,
  end: Date,
): Promise<void> {
  const name = `${table}_to_${end.toISOString().slice(0, 10).replaceAll("-", "")}`;
  const [from, to] = [begin, end].map((time) => sql.lit(time.toISOString()));
  await inUpkeep(db, async (trx) => {
    const known = await listPartitions(trx, table);
    // Another process created it first.
    if (known.some((partition) => partition.name === name)) return;
    await sql`create table ${sql.table(name)} (like ${sql.table(table)} including all)`.execute(
      trx,
    );
    // Moves rows that were written while a clock was ahead.
    await sql`
      with moved as (
        delete from ${sql.table(`${table}_rest`)}
        where ${sql.ref(column)} >= ${from} and ${sql.ref(column)} < ${to} returning *
      )
      insert into ${sql.table(name)} select * from moved`.execute(trx);
    await sql`
      alter table ${sql.table(table)} attach partition ${sql.table(name)}
        for values from (${from}) to (${to})`.execute(trx);
  });
}

/** Drops partitions that end at `before` or earlier. */
export async function dropPartitions(db: Db, table: string, before: Date): Promise<number> {
  const old = (await listPartitions(db, table)).filter(({ end }) => end <= before);
  for (const { name } of old) {
    await inUpkeep(db, async (trx) => {
      await sql`drop table if exists ${sql.table(name)}`.execute(trx);
    });
  }
  return old.length;
}

/** Runs in a transaction that never blocks others for long. Only one process runs it at a time. */
export function inUpkeep<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('kinora partitions'))`.execute(trx);
    await sql`select set_config('lock_timeout', ${lockTimeout}, true)`.execute(trx);
    return work(trx);
  });
}
