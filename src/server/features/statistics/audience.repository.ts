import { sql } from "kysely";
import type { SiteAudience, WatchedCurve } from "#contract/lists/admin-statistics.ts";
import { playDevices, playOrigins, type PlaySourceKind } from "#contract/videos/play-origins.ts";
import { minCurvePlays } from "#contract/videos/watched-bins.ts";
import type { DbOrTrx } from "#server/db/connection.ts";

/** Days in UTC, including the one of `now`. */
interface Days {
  now: Date;
  days: number;
}

/** Returns what was played of a video, or of all videos if `videoId` is null. */
export async function readCurve(db: DbOrTrx, videoId: string | null): Promise<WatchedCurve> {
  const from =
    videoId === null ? sql`site_bins` : sql`video_bins where video_id = ${videoId}::uuid`;
  const { rows } = await sql<{
    plays: number;
    watched: number[] | null;
    replayed: number[] | null;
  }>`
    select coalesce(sum(plays), 0)::int as plays, sum_bins(watched) as watched,
      sum_bins(replayed) as replayed
    from ${from}`.execute(db);
  const { plays = 0, watched = null, replayed = null } = rows[0] ?? {};
  if (plays < minCurvePlays || watched === null || replayed === null) {
    return { plays, parts: null };
  }
  const perPlay = (counts: number[]) => counts.map((count) => count / plays);
  return { plays, parts: { watching: perPlay(watched), replays: perPlay(replayed) } };
}

interface SourceRow {
  kind: PlaySourceKind;
  name: string;
  plays: number;
}

async function readSourceRows(
  db: DbOrTrx,
  videoId: string | null,
  { now, days }: Days,
): Promise<SourceRow[]> {
  const from =
    videoId === null
      ? sql`site_sources where true`
      : sql`video_sources where video_id = ${videoId}::uuid`;
  const { rows } = await sql<SourceRow>`
    select kind, name, sum(plays)::int as plays
    from ${from} and day > (${now}::timestamptz at time zone 'UTC')::date - ${days}::int
    group by kind, name order by plays desc, name`.execute(db);
  return rows;
}

/**
 * Returns the origins, countries and devices of the last days' plays, most frequent first. Leaves out
 * names that newer releases added.
 */
export async function readSources(
  db: DbOrTrx,
  videoId: string | null,
  days: Days,
): Promise<Pick<SiteAudience, "origins" | "countries" | "devices">> {
  const rows = await readSourceRows(db, videoId, days);
  const of = (kind: PlaySourceKind) => rows.filter((row) => row.kind === kind);
  return {
    countries: of("country").map(({ name, plays }) => ({ name, plays })),
    origins: of("origin").flatMap(({ name, plays }) => {
      const origin = playOrigins.find((known) => known === name);
      return origin === undefined ? [] : [{ origin, plays }];
    }),
    devices: of("device").flatMap(({ name, plays }) => {
      const device = playDevices.find((known) => known === name);
      return device === undefined ? [] : [{ device, plays }];
    }),
  };
}
