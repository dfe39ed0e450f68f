import { sql } from "kysely";
import { z } from "zod";
import type { DbOrTrx, Db } from "#server/db/connection.ts";
import { prepared } from "#server/db/prepared-statements.ts";
import { defineJob, type AnyJobDefinition } from "#server/jobs/queue.ts";

/**
 * Counts and sums of videos. They are always exact, because the triggers of the migration `tallies`
 * maintain them.
 */
export interface Tally {
  /** Number of all videos, and of listed ones. */
  videos: number;
  listed: number;
  views: number;
  likes: number;
  listedViews: number;
  listedLikes: number;
  /** Size of uploaded files, and of the files generated from them. */
  sourceBytes: number;
  storedBytes: number;
}

/**
 * Scope of the whole site. All other scopes are ids of labels. They only have `videos` and
 * `listed`.
 */
export const siteScope = "00000000-0000-0000-0000-000000000000";

/** Returns base and changes combined, by scope. Scopes with nothing to count are missing. */
export async function readTallies(
  db: DbOrTrx,
  scopes: readonly string[],
): Promise<Map<string, Tally>> {
  const { rows } = await sql<Tally & { scope: string }>`${prepared}
    select scope, sum(videos)::float8 as videos, sum(listed)::float8 as listed,
      sum(views)::float8 as views, sum(likes)::float8 as likes,
      sum(listed_views)::float8 as "listedViews", sum(listed_likes)::float8 as "listedLikes",
      sum(source_bytes)::float8 as "sourceBytes", sum(stored_bytes)::float8 as "storedBytes"
    from (
      select * from tallies where scope = any(${[...scopes]}::uuid[])
      union all select * from tally_changes where scope = any(${[...scopes]}::uuid[])
    ) parts group by scope`.execute(db);
  return new Map(rows.map(({ scope, ...tally }) => [scope, tally]));
}

/** Returns the tally of the whole site. */
export async function readSiteTally(db: DbOrTrx): Promise<Tally> {
  const tallies = await readTallies(db, [siteScope]);
  return (
    tallies.get(siteScope) ?? {
      videos: 0,
      listed: 0,
      views: 0,
      likes: 0,
      listedViews: 0,
      listedLikes: 0,
      sourceBytes: 0,
      storedBytes: 0,
    }
  );
}

/**
 * Folds changes into the base, so that there is little to add up. Readers get the same numbers
 * either way. Only one process runs it at a time, because a second one would wait for its rows.
 */
export async function foldTallies(db: DbOrTrx): Promise<void> {
  await sql`
    with taken as (delete from tally_changes returning *),
    summed as (
      select scope, sum(videos)::bigint as videos, sum(listed)::bigint as listed,
        sum(views)::bigint as views, sum(likes)::bigint as likes,
        sum(listed_views)::bigint as listed_views, sum(listed_likes)::bigint as listed_likes,
        sum(source_bytes)::bigint as source_bytes, sum(stored_bytes)::bigint as stored_bytes
      from taken group by scope order by scope
    )
    insert into tallies as t select * from summed
    on conflict (scope) do update set
      videos = t.videos + excluded.videos, listed = t.listed + excluded.listed,
      views = t.views + excluded.views, likes = t.likes + excluded.likes,
      listed_views = t.listed_views + excluded.listed_views,
      listed_likes = t.listed_likes + excluded.listed_likes,
      source_bytes = t.source_bytes + excluded.source_bytes,
      stored_bytes = t.stored_bytes + excluded.stored_bytes`.execute(db);
  // Deletes the tallies of labels without videos, and of deleted labels.
  await sql`delete from tallies where videos = 0 and scope <> ${siteScope}`.execute(db);
}

/** Folds the tallies once a minute. */
export function createTalliesJob({ db }: { db: Db }): AnyJobDefinition {
  return defineJob({
    name: "tallies.upkeep",
    payload: z.object({}),
    concurrency: 1,
    schedule: { cron: "* * * * *", runsAtStart: true },
    run: () => foldTallies(db),
  });
}
