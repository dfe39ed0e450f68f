import { sql, type Kysely } from "kysely";

/**
 * Plays and statistics by the hour in partitions by time, so that a year of them slows nothing: new
 * rows go to small indexes, and old partitions are dropped whole. What there is becomes the first
 * partition where it lies. Statistics by the day are what remains of hours.
 *
 * Plays need neither a reference to their video nor its index: writers lock the video first, and rows
 * of a removed video go with their partition. Nothing reads `visitors`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop table visitors`.execute(db);

  await sql`alter table watches drop constraint watches_video_id_fkey`.execute(db);
  await sql`alter table watches drop constraint watches_pkey`.execute(db);
  await sql`drop index watches_video_idx`.execute(db);
  await split(db, {
    table: "watches",
    column: "updated_at",
    unit: "month",
    indexes: {
      watches_recent_idx: "(visitor_id, updated_at desc)",
      watches_engaged_idx: "(video_id, updated_at desc, visitor_id desc) where engaged",
    },
    async complete() {
      await sql`create index watches_key_idx on watches (visitor_id, video_id)`.execute(db);
    },
  });

  const events = ["insert", "update", "delete"] as const;
  for (const event of events) {
    await sql`drop trigger ${sql.id(`range_scores_${event}`)} on video_stats_hourly`.execute(db);
  }
  await sql`alter index video_stats_hourly_pkey rename to video_stats_hourly_first_pkey`.execute(
    db,
  );
  await split(db, {
    table: "video_stats_hourly",
    column: "hour",
    unit: "day",
    indexes: { video_stats_hour_idx: "(hour)" },
    async complete() {
      await sql`
        alter table video_stats_hourly add primary key (video_id, hour),
          add foreign key (video_id) references videos (id) on delete cascade`.execute(db);
    },
  });
  for (const event of events) {
    const tables = [
      ...(event === "insert" ? [] : ["old table as old_rows"]),
      ...(event === "delete" ? [] : ["new table as new_rows"]),
    ];
    const name = sql.id(`range_scores_${event}`);
    await sql`
      create trigger ${name} after ${sql.raw(event)} on video_stats_hourly
        referencing ${sql.raw(tables.join(" "))} for each statement execute function ${name}()`.execute(
      db,
    );
  }

  // Days are those of UTC.
  await sql`
    create table video_stats_daily (
      video_id uuid not null references videos (id) on delete cascade,
      day timestamptz not null,
      views bigint not null default 0 check (views >= 0),
      engaged bigint not null default 0 check (engaged >= 0),
      completed bigint not null default 0 check (completed >= 0),
      likes bigint not null default 0,
      watch_time_s double precision not null default 0 check (watch_time_s >= 0),
      primary key (video_id, day)
    )`.execute(db);
  await sql`alter index video_stats_daily_pkey rename to video_stats_daily_first_pkey`.execute(db);
  await split(db, {
    table: "video_stats_daily",
    column: "day",
    unit: "month",
    indexes: {},
    async complete() {
      await sql`
        alter table video_stats_daily add primary key (video_id, day),
          add foreign key (video_id) references videos (id) on delete cascade`.execute(db);
    },
  });
}

/** Makes a table the first partition of one with its name, and adds one for what none takes. */
async function split(
  db: Kysely<unknown>,
  options: {
    table: string;
    column: string;
    unit: "day" | "month";
    indexes: Record<string, string>;
    complete(): Promise<void>;
  },
): Promise<void> {
  const { table, column, unit, indexes, complete } = options;
  const { rows } = await sql<{ end: string }>`
    select to_char(
      date_trunc(${unit}, greatest(now(), max(${sql.ref(column)})) at time zone 'UTC')
        + ('1 ' || ${unit})::interval, 'YYYY-MM-DD') as end
    from ${sql.table(table)}`.execute(db);
  const end = rows[0]?.end ?? "";
  const first = `${table}_to_${end.replaceAll("-", "")}`;
  await sql`alter table ${sql.table(table)} rename to ${sql.id(first)}`.execute(db);
  await sql`
    create table ${sql.table(table)} (like ${sql.table(first)} including defaults including constraints)
      partition by range (${sql.ref(column)})`.execute(db);
  for (const [name, definition] of Object.entries(indexes)) {
    await sql`alter index ${sql.id(name)} rename to ${sql.id(`${name}_first`)}`.execute(db);
    await sql`create index ${sql.id(name)} on ${sql.table(table)} ${sql.raw(definition)}`.execute(
      db,
    );
  }
  await complete();
  await sql`
    alter table ${sql.table(table)} attach partition ${sql.table(first)}
      for values from (minvalue) to (${sql.lit(`${end} 00:00:00+00`)})`.execute(db);
  await sql`
    create table ${sql.table(`${table}_rest`)} partition of ${sql.table(table)} default`.execute(
    db,
  );
}
