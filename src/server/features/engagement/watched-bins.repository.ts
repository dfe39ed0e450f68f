import { sql } from "kysely";
import type { PlaySourceKind } from "#contract/videos/play-origins.ts";
import type { Db, Trx } from "#server/db/connection.ts";
import { inUpkeep } from "#server/db/partitions.ts";
import { addBins, noBins, type AddedBins } from "./watched-bins.ts";

/** One source of a counted play. */
export interface PlaySource {
  videoId: string;
  kind: PlaySourceKind;
  name: string;
}

const dayOf = (now: Date) => sql`(${now}::timestamptz at time zone 'UTC')::date`;
const arrayText = (list: readonly number[]) => `{${list.join(",")}}`;

/** Adds to the curves of these videos and of the site. The videos are locked. */
export async function writeBins(
  trx: Trx,
  byVideo: ReadonlyMap<string, AddedBins>,
  now: Date,
): Promise<void> {
  if (byVideo.size === 0) return;
  const entries = [...byVideo];
  const site = noBins();
  for (const [, added] of entries) addBins(site, added);
  const add = (table: "video_bins" | "site_bins") => sql`
    plays = ${sql.ref(`${table}.plays`)} + excluded.plays,
    watched = add_bins(${sql.ref(`${table}.watched`)}, excluded.watched),
    replayed = add_bins(${sql.ref(`${table}.replayed`)}, excluded.replayed)`;
  await sql`
    insert into video_bins (video_id, day, plays, watched, replayed)
    select video_id, ${dayOf(now)}, plays, watched::int[], replayed::int[]
    from unnest(
      ${entries.map(([id]) => id)}::uuid[],
      ${entries.map(([, added]) => added.plays)}::int[],
      ${entries.map(([, added]) => arrayText(added.watched))}::text[],
      ${entries.map(([, added]) => arrayText(added.replayed))}::text[]
    ) as g (video_id, plays, watched, replayed)
    order by 1
    on conflict (video_id, day) do update set ${add("video_bins")}`.execute(trx);
  await sql`
    insert into site_bins (day, plays, watched, replayed)
    values (${dayOf(now)}, ${site.plays}, ${arrayText(site.watched)}::int[],
      ${arrayText(site.replayed)}::int[])
    on conflict (day) do update set ${add("site_bins")}`.execute(trx);
}

/** Counts the sources of plays, for their videos and for the site. The videos are locked. */
export async function writeSources(
  trx: Trx,
  sources: readonly PlaySource[],
  now: Date,
): Promise<void> {
  if (sources.length === 0) return;
  const given = sql`unnest(
      ${sources.map(({ videoId }) => videoId)}::uuid[],
      ${sources.map(({ kind }) => kind)}::text[],
      ${sources.map(({ name }) => name)}::text[]
    ) as g (video_id, kind, name)`;
  await sql`
    insert into video_sources as s (video_id, day, kind, name, plays)
    select video_id, ${dayOf(now)}, kind, name, count(*) from ${given} group by 1, 2, 3, 4 order by 1, 3, 4
    on conflict (video_id, day, kind, name) do update set plays = s.plays + excluded.plays`.execute(
    trx,
  );
  await sql`
    insert into site_sources as s (day, kind, name, plays)
    select ${dayOf(now)}, kind, name, count(*) from ${given} group by 1, 2, 3 order by 2, 3
    on conflict (day, kind, name) do update set plays = s.plays + excluded.plays`.execute(trx);
}

/** View of a video that a clip may have led to. */
export interface Arrival {
  visitorId: string;
  videoId: string;
}

/** Maximum time between playing a clip and playing its long video. */
const arrivalMs = 3_600_000;

/**
 * Counts viewers that a clip brought to its long video: those who played the clip shortly before. If
 * they played several, the latest one counts. The videos are locked.
 */
export async function writeClipViewers(
  trx: Trx,
  arrivals: readonly Arrival[],
  now: Date,
): Promise<void> {
  if (arrivals.length === 0) return;
  // Also compared with `updated_at`, which is never earlier, to read only recent partitions.
  const since = new Date(now.getTime() - arrivalMs);
  await sql`
    insert into video_sources as s (video_id, day, kind, name, plays)
    select g.video_id, ${dayOf(now)}, 'clip', latest.clip_id, count(*)
    from unnest(
      ${arrivals.map(({ visitorId }) => visitorId)}::uuid[],
      ${arrivals.map(({ videoId }) => videoId)}::uuid[]
    ) as g (visitor_id, video_id)
    cross join lateral (
      select c.id::text as clip_id
      from watches w join videos c on c.id = w.video_id and c.clip_of = g.video_id
      where w.visitor_id = g.visitor_id and w.counted_at > ${since}::timestamptz
        and w.updated_at > ${since}::timestamptz
      order by w.counted_at desc limit 1
    ) latest
    where exists (select from videos c where c.clip_of = g.video_id)
    group by 1, 4 order by 1, 4
    on conflict (video_id, day, kind, name) do update set plays = s.plays + excluded.plays`.execute(
    trx,
  );
}

/** Adds days before this time to one row per video, and to one of the site. */
export async function foldBins(db: Db, before: Date): Promise<void> {
  const old = sql`day < ${dayOf(before)} and day > '-infinity'`;
  const fold = async (table: string, keys: string[], sums: Record<string, string>) => {
    const list = sql.join(keys.map((key) => sql.ref(key)));
    const columns = Object.keys(sums);
    const name = sql.table(table);
    await inUpkeep(db, async (trx) => {
      await sql`
        with old as (delete from ${name} where ${old} returning *)
        insert into ${name} as t (${sql.join([...keys, "day", ...columns].map((key) => sql.ref(key)))})
        select ${keys.length === 0 ? sql`` : sql`${list},`} '-infinity'::date,
          ${sql.join(columns.map((column) => sql.raw(`${sums[column]}(${column})`)))}
        from old ${keys.length === 0 ? sql`having count(*) > 0` : sql`group by ${list} order by ${list}`}
        on conflict (${sql.join([...keys, "day"].map((key) => sql.ref(key)))}) do update set
          ${sql.join(
            columns.map((column) =>
              sums[column] === "sum_bins"
                ? sql.raw(`${column} = add_bins(t.${column}, excluded.${column})`)
                : sql.raw(`${column} = t.${column} + excluded.${column}`),
            ),
          )}`.execute(trx);
    });
  };
  const bins = { plays: "sum", watched: "sum_bins", replayed: "sum_bins" };
  await fold("video_bins", ["video_id"], bins);
  await fold("site_bins", [], bins);
  await fold("video_sources", ["video_id", "kind", "name"], { plays: "sum" });
  await fold("site_sources", ["kind", "name"], { plays: "sum" });
}

/** Returns what was replayed of a video since its first play, and its duration. */
export async function readReplays(
  db: Db,
  videoId: string,
): Promise<{ plays: number; replayed: number[]; durationS: number } | null> {
  const { rows } = await sql<{ plays: number; replayed: number[]; durationS: number }>`
    select sum(b.plays)::int as plays, sum_bins(b.replayed) as replayed,
      v.duration_s as "durationS"
    from video_bins b join videos v on v.id = b.video_id
    where b.video_id = ${videoId} group by v.duration_s`.execute(db);
  return rows[0] ?? null;
}
