import { sql } from "kysely";
import type { DbOrTrx } from "#server/db/connection.ts";
import { prepared } from "#server/db/prepared-statements.ts";
import { siteScope } from "#server/features/videos/query/tallies.sql.ts";
import {
  coWatched,
  neighboursMax,
  partsOf,
  share,
  coWatchedWeight,
  type Candidate,
  type RelatedReason,
} from "./related.ts";

/**
 * Number of newest videos compared per tag and actor. For a rare label, that covers all its videos.
 */
const perLabel = 60;
/** Number of a video's latest viewers that count, and of the latest plays of each one. */
const viewersMax = 200;
const watchedByEach = 40;

/** Number of most related videos to return. */
const candidatesMax = 40;

interface CandidateRow {
  id: string;
  title: string;
  score: number;
  /** Contributions of tags, actors, categories, title and viewers to the score. */
  parts: number[];
  /** Ids joined by commas, with the rarity of each tag. */
  tagIds: string | null;
  tagWeights: string | null;
  actorIds: string | null;
  categoryIds: string | null;
  sharedTagIds: string | null;
}

/** Videos that a video's viewers also watched. */
interface CoWatched {
  /** Number of engaged viewers. */
  viewers: number;
  /** Most similar first, with `coWatched` as their weight. */
  videos: { id: string; weight: number }[];
}

const ids = (text: string | null) => (text === null ? [] : text.split(","));

/** Selects the newest videos of each of the video's labels of this kind. */
const newestOf = (videoId: string, join: string, column: string) => sql`
  select c.video_id from ${sql.table(join)} mine cross join lateral (
    select j.video_id from ${sql.table(join)} j
    where j.${sql.ref(column)} = mine.${sql.ref(column)} and j.listed_at is not null
    order by j.listed_at desc, j.video_id desc limit ${sql.lit(perLabel)}
  ) c where mine.video_id = ${videoId}`;

/** Returns the shared labels divided by all labels of both videos (Jaccard index). */
const overlap = (videoId: string, join: string, column: string) => sql`
  (select coalesce(count(m.video_id)::float8
      / nullif(count(*) + (select count(*) from ${sql.table(join)} where video_id = ${videoId})
        - count(m.video_id), 0), 0)
    from ${sql.table(join)} j
    left join ${sql.table(join)} m
      on m.video_id = ${videoId} and m.${sql.ref(column)} = j.${sql.ref(column)}
    where j.video_id = f.video_id)`;

export async function listCoWatched(db: DbOrTrx, videoId: string): Promise<CoWatched> {
  const { rows } = await sql<{ id: string; both: number; size: number; engaged: number }>`
    with viewers as materialized (
      select visitor_id from watches where video_id = ${videoId} and engaged
      order by updated_at desc, visitor_id desc limit ${sql.lit(viewersMax)}
    ), audience as materialized (
      -- A full sample stands for all viewers.
      select n, case when n < ${sql.lit(viewersMax)} then n
        else greatest(n, (select engaged from videos where id = ${videoId})) end::float8 as size
      from (select count(*) as n from viewers) sample
    ), watched as materialized (
      select w.video_id, count(*) * a.size / a.n as both, a.size
      from audience a, viewers cross join lateral (
        select o.video_id from watches o where o.visitor_id = viewers.visitor_id and o.engaged
        order by o.updated_at desc limit ${sql.lit(watchedByEach)}
      ) w where w.video_id <> ${videoId}
      group by w.video_id, a.size, a.n order by 2 desc, 1 desc limit ${sql.lit(neighboursMax * 4)}
    )
    select w.video_id as id, w.both, w.size, greatest(v.engaged, w.both) as engaged
    from watched w join videos v on v.id = w.video_id and v.is_listed`.execute(db);
  const videos = rows.map(({ id, both, size, engaged }) => ({
    id,
    weight: coWatched(both, size, engaged),
  }));
  return {
    viewers: rows[0]?.size ?? 0,
    videos: videos
      .toSorted((a, b) => b.weight - a.weight || (a.id < b.id ? 1 : -1))
      .slice(0, neighboursMax),
  };
}

/**
 * Returns the most related listed videos, best first, with the inputs of `likeness`. The query
 * computes the formulas of `likeness` and `relatedScore`.
 */
export async function listRelatedCandidates(
  db: DbOrTrx,
  videoId: string,
  watched: CoWatched,
): Promise<Candidate[]> {
  const ofWatched = coWatchedWeight(watched.viewers);
  const alike = sql.lit((1 - ofWatched) / (1 - share.watched));
  const { rows } = await sql<CandidateRow>`
    with watched as materialized (
      select id as video_id, weight from unnest(
        ${watched.videos.map(({ id }) => id)}::uuid[],
        ${watched.videos.map(({ weight }) => weight)}::float8[]
      ) as given (id, weight)
    ), found as materialized (
      (${newestOf(videoId, "video_tags", "tag_id")}
        union ${newestOf(videoId, "video_actors", "actor_id")}
        union select video_id from watched)
      except select ${videoId}::uuid
    ), tagged as materialized (
      select video_id, tag_id from video_tags where video_id in (select video_id from found)
      union all select video_id, tag_id from video_tags where video_id = ${videoId}
    ), rarities as materialized (
      select t.tag_id, ln(1 + site.listed / greatest(1, coalesce((
        select sum(listed) from (
          select listed from tallies where scope = t.tag_id
          union all select listed from tally_changes where scope = t.tag_id) parts
      ), 0))::float8) as weight
      from (select distinct tag_id from tagged) t, (
        select sum(listed)::float8 as listed from (
          select listed from tallies where scope = ${siteScope}
          union all select listed from tally_changes where scope = ${siteScope}) parts
      ) site
    ), own as materialized (
      select tag_id, weight from tagged join rarities using (tag_id) where video_id = ${videoId}
    ), by_tags as (
      select t.video_id, sum(r.weight) filter (where o.tag_id is not null) as shared,
        sum(r.weight) filter (where o.tag_id is null) as other
      from tagged t join rarities r using (tag_id) left join own o using (tag_id) group by 1
    ), parted as (
      select f.video_id, s.title, array[
        ${alike} * ${sql.lit(share.tags)} * coalesce(t.shared
          / ((select sum(weight) from own) + coalesce(t.other, 0)), 0),
        ${alike} * ${sql.lit(share.actors)} * ${overlap(videoId, "video_actors", "actor_id")},
        ${alike} * ${sql.lit(share.categories)} * ${overlap(videoId, "video_categories", "category_id")},
        ${alike} * ${sql.lit(share.title)} * similarity(
          s.title, (select title from video_search where video_id = ${videoId})),
        ${sql.lit(ofWatched)} * coalesce(w.weight, 0)
      ]::float8[] as parts
      from found f
      join videos v on v.id = f.video_id and v.is_listed
      join video_search s on s.video_id = f.video_id
      left join by_tags t on t.video_id = f.video_id
      left join watched w on w.video_id = f.video_id
    ), scored as (
      select p.*, (select sum(part) from unnest(parts) part) as score
      from parted p order by score desc, video_id desc limit ${sql.lit(candidatesMax)}
    )
    select c.video_id as id, c.title, c.score, c.parts,
      string_agg(t.tag_id::text, ',' order by t.tag_id) as "tagIds",
      string_agg(r.weight::text, ',' order by t.tag_id) as "tagWeights",
      string_agg(t.tag_id::text, ',' order by r.weight desc, t.tag_id)
        filter (where t.tag_id in (select tag_id from own)) as "sharedTagIds",
      (select string_agg(actor_id::text, ',') from video_actors j where j.video_id = c.video_id)
        as "actorIds",
      (select string_agg(category_id::text, ',') from video_categories j where j.video_id = c.video_id)
        as "categoryIds"
    from scored c
    left join tagged t on t.video_id = c.video_id left join rarities r using (tag_id)
    group by 1, 2, 3, 4 order by c.score desc, c.video_id desc`.execute(db);
  return rows.map((row) => {
    const weights = ids(row.tagWeights);
    return {
      id: row.id,
      title: row.title,
      score: row.score,
      reason: reasonOf(row),
      tags: new Map(ids(row.tagIds).map((id, at) => [id, Number(weights[at])])),
      actorIds: ids(row.actorIds),
      categoryIds: ids(row.categoryIds),
    };
  });
}

/**
 * Returns the part that contributes most. For tags, returns the rarest one that both videos have.
 */
function reasonOf({ parts, sharedTagIds }: CandidateRow): RelatedReason {
  const largest = partsOf[parts.indexOf(Math.max(...parts))] ?? "title";
  return largest === "tags" ? `tag:${ids(sharedTagIds)[0] ?? ""}` : largest;
}

/** Stored choice for one video: ids, best first. */
export interface KeptRelated {
  ids: string[];
  /** Further videos of actors that occur twice in `ids`. */
  spareIds: string[];
  /** Reason for each entry of `ids` and `spareIds`. */
  reasons: ReadonlyMap<string, RelatedReason>;
}

/** Returns the stored ids that are still listed, or null if none were chosen yet. */
export async function findKept(db: DbOrTrx, videoId: string): Promise<KeptRelated | null> {
  const { rows } = await sql<{
    id: string;
    reason: RelatedReason;
    isSpare: boolean;
  }>`${prepared}
    select v.id, u.reason, u.at > cardinality(r.ids) as "isSpare"
    from related_videos r
    left join unnest(r.ids || r.spare_ids, r.reasons) with ordinality as u (id, reason, at)
      on true
    left join videos v on v.id = u.id and v.is_listed
    where r.video_id = ${videoId} order by u.at`.execute(db);
  if (rows.length === 0) return null;
  const listed = rows.filter(({ id }) => id !== null);
  return {
    ids: listed.filter(({ isSpare }) => !isSpare).map(({ id }) => id),
    spareIds: listed.filter(({ isSpare }) => isSpare).map(({ id }) => id),
    reasons: new Map(listed.map(({ id, reason }) => [id, reason])),
  };
}

/** Stores a choice. Writes nothing for a video that was deleted in the meantime. */
export async function saveKept(
  db: DbOrTrx,
  videoId: string,
  { ids, spareIds, reasons }: KeptRelated,
  watched: CoWatched["videos"],
): Promise<void> {
  await sql`
    insert into related_videos
      (video_id, ids, spare_ids, reasons, watched_ids, watched_weights, engaged)
    select id, ${ids}::uuid[], ${spareIds}::uuid[],
      ${[...ids, ...spareIds].map((each) => reasons.get(each) ?? "title")}::text[],
      ${watched.map(({ id }) => id)}::uuid[], ${watched.map(({ weight }) => weight)}::real[], engaged
    from videos where id = ${videoId} for key share
    on conflict (video_id) do update set ids = excluded.ids, spare_ids = excluded.spare_ids,
      reasons = excluded.reasons, watched_ids = excluded.watched_ids,
      watched_weights = excluded.watched_weights, engaged = excluded.engaged,
      chosen_at = excluded.chosen_at`.execute(db);
}

/** Returns the actors of these videos and each one's first category. */
export async function listActorsAndCategory(
  db: DbOrTrx,
  ids: readonly string[],
): Promise<Map<string, { actorIds: string[]; categoryId: string | null }>> {
  const { rows } = await sql<{ id: string; actorIds: string[]; categoryId: string | null }>`
    select g.id, array(select j.actor_id::text from video_actors j where j.video_id = g.id) as "actorIds",
      (select j.category_id from video_categories j where j.video_id = g.id
        order by j.position, j.category_id limit 1) as "categoryId"
    from unnest(${[...ids]}::uuid[]) as g (id)`.execute(db);
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}
