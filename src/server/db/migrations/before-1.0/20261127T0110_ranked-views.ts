import { sql, type Kysely } from "kysely";

const ranges = [
  { name: "today", hours: 24 },
  { name: "week", hours: 168 },
  { name: "month", hours: 720 },
] as const;

/** The weights of features/engagement/engagement.ts when this migration was written; a test compares. */
const engagement = "views - unranked_views + completed + 4 * likes";

/**
 * Views of one address group beyond the first few of a day are counted, but not in Trending. Earlier
 * views count as before, so the stored sums stay correct.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table address_counts add column completions int not null default 0`.execute(db);
  for (const table of ["video_stats_hourly", "video_stats_daily"]) {
    await sql`
      alter table ${sql.table(table)} add column unranked_views bigint not null default 0`.execute(
      db,
    );
  }
  await replaceStatisticsTriggers(db);
  await replaceWindowMover(db);
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

async function replaceStatisticsTriggers(db: Kysely<unknown>): Promise<void> {
  const plus = "select video_id, hour, views, unranked_views, completed, likes from new_rows";
  const minus =
    "select video_id, hour, -views as views, -unranked_views as unranked_views, -completed as completed, -likes as likes from old_rows";
  for (const [event, rows] of [
    ["insert", plus],
    ["update", `${plus} union all ${minus}`],
    ["delete", minus],
  ] as const) {
    const name = sql.id(`range_scores_${event}`);
    // A shared lock: writers do not wait for each other, only while the window moves.
    await sql`
      create or replace function ${name}() returns trigger language plpgsql as $$
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
  }
}

/** Moves the windows to the hour of `at`. Returns false where another process is moving them. */
async function replaceWindowMover(db: Kysely<unknown>): Promise<void> {
  const left = (hours: number) =>
    `hour > last - interval '${hours} hours' and hour <= upto - interval '${hours} hours'`;
  await sql`
    create or replace function move_ranking_window(at timestamptz) returns boolean language plpgsql as $$
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
