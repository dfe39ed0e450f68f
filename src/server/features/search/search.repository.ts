import { sql, type RawBuilder } from "kysely";
import type { DbOrTrx } from "../../db/connection.ts";
import {
  allOf,
  idConditions,
  rowConditions,
  type VideoFilter,
  type WordsMatch,
} from "../../db/video-filter.ts";

/** How many videos are ranked at most: those with the words in the title first, then the newest. */
export const rankedMax = 1000;
/** Titles beyond this many do not look alike any more. */
const similarMax = 50;
/** How many documents one transaction writes. */
const documentsPerBatch = 200;
/** How much of a text is compared with titles. */
const similarTextMax = 80;

/** Lower case, without accents and signs; see the migration `text-folding`. */
export async function foldText(db: DbOrTrx, text: string): Promise<string> {
  const { rows } = await sql<{ folded: string }>`select fold(${text}) as folded`.execute(db);
  return rows[0]?.folded ?? "";
}

const visible = (isPublic: boolean) => (isPublic ? sql`s.is_listed` : sql`true`);

/** Which of these queries find anything. */
export async function findAny(
  db: DbOrTrx,
  queries: readonly string[],
  isPublic: boolean,
): Promise<boolean[]> {
  // One subquery each, so that the planner knows how common the words are. Materialized, because the
  // planner expects a bare `exists` to end early and would search every row for an unused word.
  const parts = queries.map(
    (query, at) => sql`
      (with hits as materialized (
        select from video_search s where s.words @@ ${query}::tsquery and ${visible(isPublic)}
      ) select ${sql.lit(at)} as at, exists (select from hits) as "isFound")`,
  );
  const { rows } = await sql<{ isFound: boolean }>`
    ${sql.join(parts, sql` union all `)} order by at`.execute(db);
  return rows.map((row) => row.isFound);
}

/** Known words that differ from this one by about one letter. */
export async function listNearWords(db: DbOrTrx, word: string): Promise<string[]> {
  const { rows } = await sql<{ word: string }>`
    select distinct word from search_typos
    where variant in (select one_letter_less(${word})) limit 200`.execute(db);
  return rows.map((row) => row.word);
}

/** Titles that look alike, the most similar first. */
export async function listSimilarIds(
  db: DbOrTrx,
  folded: string,
  isPublic: boolean,
): Promise<string[]> {
  const text = folded.slice(0, similarTextMax);
  const { rows } = await sql<{ id: string }>`
    select s.video_id as id from video_search s
    where ${text} <% s.title and ${visible(isPublic)}
    order by word_similarity(${text}, s.title) desc, s.video_id desc limit ${similarMax}`.execute(
    db,
  );
  return rows.map((row) => row.id);
}

/**
 * Ids of the candidates with these words, the newest where there are more than may be ranked.
 * @param common from this many hits on, walking back from the newest is cheaper than the index.
 * @param wanted how many items the page needs, counted from the top. Titles with the words come
 *   first: where they fill the page, the other candidates are only counted.
 */
function candidates(
  match: WordsMatch,
  where: RawBuilder<unknown>,
  common: number,
  wanted: number,
): RawBuilder<unknown> {
  const inTitle = sql`s.title_words @@ ${match.query}::tsquery`;
  const elsewhere = sql`s.words @@ ${match.query}::tsquery and not ${inTitle}`;
  const left = sql`(select ${sql.lit(rankedMax)} - count(*) from titled)`;
  const isFilled = sql`(select count(*) >= ${sql.lit(wanted)} from titled)`;
  return sql`
    title_hits as materialized (
      select s.video_id from video_search s where ${inTitle} and ${where} limit ${common + 1}
    ), titled as materialized (
      (select video_id from title_hits
        where (select count(*) from title_hits) <= ${common}
        order by video_id desc limit ${sql.lit(rankedMax)})
      union all
      (select s.video_id from video_search s
        where (select count(*) from title_hits) > ${common} and ${inTitle} and ${where}
        order by s.video_id desc limit ${sql.lit(rankedMax)})
    ), other_hits as materialized (
      select s.video_id from video_search s
      where not ${isFilled} and ${elsewhere} and ${where} limit ${common + 1}
    ), candidates as materialized (
      select video_id, true as in_title from titled
      union all
      (select video_id, false from other_hits
        where (select count(*) from other_hits) <= ${common}
        order by video_id desc limit ${left})
      union all
      (select s.video_id, false from video_search s
        where (select count(*) from other_hits) > ${common} and ${elsewhere} and ${where}
        order by s.video_id desc limit ${left})
    ), only_counted as materialized (
      select from video_search s
      where ${isFilled} and (select count(*) from titled) < ${sql.lit(rankedMax)}
        and ${elsewhere} and ${where} limit ${sql.lit(rankedMax)}
    ), counted as (
      select least(${sql.lit(rankedMax)},
        (select count(*) from candidates) + (select count(*) from only_counted)) as total
    )`;
}

/**
 * One page by relevance. First by field: all words in the title, then in title and actors, tags,
 * categories, description. Then whole words before prefixes, titles with few other words, and trend.
 */
export async function rankIds(
  db: DbOrTrx,
  match: WordsMatch,
  filter: VideoFilter,
  page: { limit: number; offset: number },
  siteVideos: number,
): Promise<{ ids: string[]; total: number }> {
  const common = Math.ceil(Math.sqrt(rankedMax * Math.max(rankedMax, siteVideos)));
  const where = allOf([
    visible(filter.visibility === "listed"),
    ...idConditions(sql`s.video_id`, { ...filter, match: undefined }),
  ]);
  const length = sql.lit(Math.max(1, match.text.length));
  const { rows } = await sql<{ id: string; total: number }>`
    with ${candidates(match, where, common, page.offset + page.limit)},
    ranked as (
      select c.video_id as id,
        case when c.in_title then 5
          when s.words @@ ${match.inNames}::tsquery then 4
          when s.words @@ ${match.inTags}::tsquery then 3
          when s.words @@ ${match.inCategories}::tsquery then 2
          else 1 end as field,
        s.words @@ ${match.whole}::tsquery as is_whole,
        case when c.in_title then (4 * ${length}) / greatest(length(s.title), ${length}) else 0 end
          as quarters
      from candidates c join video_search s on s.video_id = c.video_id
    ), placed as (
      select *, rank() over (order by field desc, is_whole desc, quarters desc) as place from ranked
    )
    -- The trend is read only for videos that may be on the page.
    select id, (select total from counted) as total from placed p
    where place <= ${page.offset + page.limit}
    order by place, (select v.trend from videos v where v.id = p.id) desc, id desc
    limit ${page.limit} offset ${page.offset}`.execute(db);
  const first = rows[0];
  if (first !== undefined || page.offset === 0) {
    return { ids: rows.map((row) => row.id), total: first?.total ?? 0 };
  }
  // Past the end no row holds the total.
  const { total } = await rankIds(db, match, filter, { limit: 1, offset: 0 }, siteVideos);
  return { ids: [], total };
}

/** The same for titles that look alike: in the given order, without those filtered out. */
export async function listSimilarPage(
  db: DbOrTrx,
  ids: readonly string[],
  filter: VideoFilter,
  page: { limit: number; offset: number },
): Promise<{ ids: string[]; total: number }> {
  const { rows } = await sql<{ id: string }>`
    select g.id from unnest(${[...ids]}::uuid[]) with ordinality as g (id, at)
    join videos v on v.id = g.id
    where ${allOf(rowConditions({ ...filter, match: undefined }))} order by at`.execute(db);
  return {
    ids: rows.slice(page.offset, page.offset + page.limit).map((row) => row.id),
    total: rows.length,
  };
}

/** Writes some of the outdated documents in one transaction; returns how many. */
export async function refreshStaleDocuments(db: DbOrTrx): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select refresh_stale_search(${documentsPerBatch}) as n`.execute(db);
  return rows[0]?.n ?? 0;
}
