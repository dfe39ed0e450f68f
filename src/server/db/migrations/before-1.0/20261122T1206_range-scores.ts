import { sql, type Kysely } from "kysely";

const ranges = [
  { name: "today", hours: 24 },
  { name: "week", hours: 168 },
  { name: "month", hours: 720 },
] as const;

/** The weights of features/engagement/engagement.ts when this migration was written; a test compares. */
const engagement = "views + completed + 4 * likes";

/**
 * Views and engagement of every video in the last 24, 168 and 720 hours, as stored numbers: one
 * index serves each list. Counting adds to them in its own transaction; when an hour ends,
 * `move_ranking_window` (run by a job) subtracts what leaves the window. So they equal the sum over
 * `video_stats_hourly` from `ranking_window.hour` back at any moment.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The latest hour that the windows have reached.
  await sql`
    create table ranking_window (
      id int primary key default 1 check (id = 1),
      hour timestamptz not null
    )`.execute(db);
  await sql`insert into ranking_window (hour) values ('epoch')`.execute(db);

  const columns = ranges.flatMap(({ name }) => [
    sql`${sql.id(`views_${name}`)} bigint not null default 0`,
    sql`${sql.id(`engagement_${name}`)} bigint not null default 0`,
  ]);
  await sql`
    create table video_range_scores (
      video_id uuid primary key references videos (id) on delete cascade,
      is_listed boolean not null,
      ${sql.join(columns)}
    ) with (fillfactor = 80)`.execute(db);
  for (const { name } of ranges) {
    for (const what of ["views", "engagement"]) {
      await sql`
        create index ${sql.id(`range_scores_${what}_${name}_idx`)}
          on video_range_scores (${sql.id(`${what}_${name}`)} desc, video_id desc)
          where is_listed`.execute(db);
    }
  }
  await sql`
    create function add_range_scores() returns trigger language plpgsql as $$
    begin
      insert into video_range_scores (video_id, is_listed)
      select id, is_listed from new_rows;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger add_range_scores after insert on videos
      referencing new table as new_rows for each statement
      execute function add_range_scores()`.execute(db);
  await addStatisticsTriggers(db);
  await addWindowMover(db);
  await sql`select move_ranking_window(now())`.execute(db);
}

const columnNames = ranges.flatMap(({ name }) => [`views_${name}`, `engagement_${name}`]);

/** Assignments that add or subtract the sums of a derived table `d`. */
const assign = (operator: "+" | "-") =>
  columnNames.map((column) => `${column} = s.${column} ${operator} d.${column}`).join(", ");

const anyChange = columnNames.map((column) => `d.${column} <> 0`).join(" or ");

const sumsWhere = (condition: (hours: number) => string) =>
  ranges
    .flatMap(({ name, hours }) => [
      `coalesce(sum(views) filter (where ${condition(hours)}), 0) as views_${name}`,
      `coalesce(sum(${engagement}) filter (where ${condition(hours)}), 0) as engagement_${name}`,
    ])
    .join(", ");

async function addStatisticsTriggers(db: Kysely<unknown>): Promise<void> {
  const plus = "select video_id, hour, views, completed, likes from new_rows";
  const minus =
    "select video_id, hour, -views as views, -completed as completed, -likes as likes from old_rows";
  for (const [event, rows, tables] of [
    ["insert", plus, "new table as new_rows"],
    ["update", `${plus} union all ${minus}`, "old table as old_rows new table as new_rows"],
    ["delete", minus, "old table as old_rows"],
  ] as const) {
    const name = sql.id(`range_scores_${event}`);
    // A shared lock: writers do not wait for each other, only while the window moves.
    await sql`
      create function ${name}() returns trigger language plpgsql as $$
      declare
        last timestamptz;
      begin
        perform pg_advisory_xact_lock_shared(hashtext('kinora ranking window'));
        select hour into last from ranking_window;
        update video_range_scores s set ${sql.raw(assign("+"))}
        from (
          select video_id, ${sql.raw(sumsWhere((hours) => `hour > last - interval '${hours} hours'`))}
          from (${sql.raw(rows)}) changed group by video_id
        ) d
        where s.video_id = d.video_id and (${sql.raw(anyChange)});
        return null;
      end $$`.execute(db);
    await sql`
      create trigger ${name} after ${sql.raw(event)} on video_stats_hourly
        referencing ${sql.raw(tables)} for each statement execute function ${name}()`.execute(db);
  }
}

/** Moves the windows to the hour of `at`. Returns false where another process is moving them. */
async function addWindowMover(db: Kysely<unknown>): Promise<void> {
  const left = (hours: number) =>
    `hour > last - interval '${hours} hours' and hour <= upto - interval '${hours} hours'`;
  await sql`
    create function move_ranking_window(at timestamptz) returns boolean language plpgsql as $$
    declare
      last timestamptz;
      upto timestamptz := date_trunc('hour', at, 'UTC');
    begin
      select hour into last from ranking_window;
      if last = upto then return true; end if;
      -- Counting waits behind this lock, so give up early and try again later.
      perform set_config('lock_timeout', '500ms', true);
      begin
        perform pg_advisory_xact_lock(hashtext('kinora ranking window'));
      exception when lock_not_available then return false;
      end;
      perform set_config('lock_timeout', '0', true);
      select hour into last from ranking_window;
      if upto > last and upto < last + interval '30 days' then
        update video_range_scores s set ${sql.raw(assign("-"))}
        from (
          select video_id, ${sql.raw(sumsWhere(left))}
          from video_stats_hourly
          where ${sql.raw(ranges.map(({ hours }) => `(${left(hours)})`).join(" or "))}
          group by video_id
        ) d
        where s.video_id = d.video_id and (${sql.raw(anyChange)});
      elsif upto <> last then
        -- The clock was set back, or moved far ahead: compute everything again.
        update video_range_scores s set
          ${sql.raw(columnNames.map((column) => `${column} = coalesce(d.${column}, 0)`).join(", "))}
        from video_range_scores t
        left join (
          select video_id, ${sql.raw(sumsWhere((hours) => `hour > upto - interval '${hours} hours'`))}
          from video_stats_hourly where hour > upto - interval '720 hours'
          group by video_id
        ) d on d.video_id = t.video_id
        where s.video_id = t.video_id;
      end if;
      update ranking_window set hour = upto;
      return true;
    end $$`.execute(db);
}
