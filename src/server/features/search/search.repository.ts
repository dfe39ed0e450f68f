import { sql, type RawBuilder } from "kysely";
import type { DbOrTrx } from "#server/db/connection.ts";
import { prepared } from "#server/db/prepared-statements.ts";
import {
  allOf,
  hasPhrases,
  idConditions,
  isNotExcluded,
  rowConditions,
  type VideoFilter,
  type WordsMatch,
} from "#server/features/videos/query/video-filter.sql.ts";
import type { FoundField, RankedPage } from "#server/features/videos/query/text-search.ts";
import { labelTables } from "#server/features/labels/label-kinds.ts";
import type { VideoReason } from "#server/lib/video-reasons.ts";
import type { DocumentWords } from "./closest-documents.ts";
import { tierPlaceholder } from "./search-query.ts";

/**
 * Maximum number of ranked videos. Those with the words in the title come first, then the newest.
 */
export const rankedMax = 384;
/** Documents per tier, as in the migration `search-tiers`. */
const documentsPerTier = 16_384;
/** Documents written per transaction. */
const documentsPerBatch = 200;
/** Number of documents of each kind to compare if they contain some of the words. */
const comparedMax = 125;
/** Above this number of documents, words count as equally common. */
export const countedMax = 300;
/** Minimum score of a ranked video that has all words in its title. */
const inTitle = 192;

/** Matches texts in which folding only changes case. */
const plainText = /^[a-z0-9]+( [a-z0-9]+)*$/i;

/**
 * Returns texts in lower case, without accents and punctuation; see the migration `text-folding`.
 */
export async function foldTexts(db: DbOrTrx, texts: readonly string[]): Promise<string[]> {
  if (texts.every((text) => plainText.test(text))) return texts.map((text) => text.toLowerCase());
  const { rows } = await sql<{ folded: string[] }>`${prepared}
    select array(select fold(given.text) from unnest(${[...texts]}::text[])
      with ordinality as given (text, at) order by at) as folded`.execute(db);
  return rows[0]?.folded ?? [];
}

const visible = (isPublic: boolean) => (isPublic ? sql`s.is_listed` : sql`true`);

/** Newest tier that may contain a document. */
const newestTier = sql`(select last_value / ${sql.lit(documentsPerTier)} from search_document_numbers)`;

type Match = Pick<WordsMatch, "query" | "tiered" | "excluded">;

/** `Match` in SQL, for a statement about many matches. */
interface MatchInSql {
  query: RawBuilder<unknown>;
  tiered: RawBuilder<unknown>;
  excluded: null;
}

/**
 * Returns documents that have these words in one column, newest tier first and by id within a tier.
 * @param columns columns of `video_search s`, starting with `video_id`.
 * @param isOrdered false if any documents will do.
 */
export function newestMatches(
  match: Match | MatchInSql,
  options: {
    column: "title_words" | "words";
    columns: RawBuilder<unknown>;
    where: RawBuilder<unknown>;
    limit: RawBuilder<unknown>;
    isOrdered?: boolean;
  },
): RawBuilder<unknown> {
  const { columns, where, limit, isOrdered = true } = options;
  const column = sql.ref(`s.${options.column}`);
  const inOrder =
    options.column === "words"
      ? hasPhrases(sql`s`, match.query)
      : sql`${column} @@ ${match.query}::tsquery`;
  // The index by tier doesn't store the order of words.
  const order =
    typeof match.query === "string"
      ? match.query.includes("<->")
        ? inOrder
        : sql`true`
      : sql`(strpos(${match.query}, '<->') = 0 or ${inOrder})`;
  return sql`
    select hit.* from generate_series(${newestTier}, 0, -1) as tiers (number) cross join lateral (
      select ${columns} from video_search s
      where tier_words(${column}, s.tier)
          @@ replace(${match.tiered}, ${sql.lit(tierPlaceholder)}, to_hex(tiers.number))::tsquery
        and ${order}
        and ${isNotExcluded(sql`s`, match)} and ${where}
      ${isOrdered ? sql`order by s.video_id desc` : sql``} limit ${limit}
    ) hit limit ${limit}`;
}

const anyHit = (match: Match | MatchInSql, isPublic: boolean) =>
  sql`exists (${newestMatches(match, {
    column: "words",
    columns: sql`s.video_id`,
    where: visible(isPublic),
    limit: sql`1`,
    isOrdered: false,
  })})`;

export async function hasMatches(db: DbOrTrx, match: Match, isPublic: boolean): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`${prepared}
    select ${anyHit(match, isPublic)} as found`.execute(db);
  return rows[0]?.found === true;
}

/** Returns which of these matches occur. Excluded words aren't supported. */
export async function findKnown(
  db: DbOrTrx,
  matches: readonly Pick<Match, "query" | "tiered">[],
  isPublic: boolean,
): Promise<boolean[]> {
  const [query, tiered] = [sql.ref("given.query"), sql.ref("given.tiered")];
  const { rows } = await sql<{ found: boolean[] }>`${prepared}
    select array(select ${anyHit({ query, tiered, excluded: null }, isPublic)}
      from unnest(${matches.map((match) => match.query)}::text[],
        ${matches.map((match) => match.tiered)}::text[]) with ordinality as given (query, tiered, at)
      order by at) as found`.execute(db);
  return rows[0]?.found ?? [];
}

/** Counts the documents of each match, up to `countedMax`. Excluded words aren't supported. */
export async function countMatches(
  db: DbOrTrx,
  matches: readonly Pick<Match, "query" | "tiered">[],
  isPublic: boolean,
): Promise<number[]> {
  const [query, tiered] = [sql.ref("given.query"), sql.ref("given.tiered")];
  const some = newestMatches(
    { query, tiered, excluded: null },
    {
      column: "words",
      columns: sql`s.video_id`,
      where: visible(isPublic),
      limit: sql.lit(countedMax),
      isOrdered: false,
    },
  );
  const { rows } = await sql<{ counts: number[] }>`${prepared}
    select array(select (select count(*)::int from (${some}) counted)
      from unnest(${matches.map((match) => match.query)}::text[],
        ${matches.map((match) => match.tiered)}::text[]) with ordinality as given (query, tiered, at)
      order by at) as counts`.execute(db);
  return rows[0]?.counts ?? [];
}

/** Returns the newest documents of each match. */
export async function listDocuments(
  db: DbOrTrx,
  matches: readonly Match[],
  isPublic: boolean,
): Promise<DocumentWords[]> {
  const parts = matches.map((match) => {
    const newest = newestMatches(match, {
      column: "words",
      columns: sql`s.ctid as row`,
      where: visible(isPublic),
      limit: sql.lit(comparedMax),
    });
    return sql`(${newest})`;
  });
  const { rows } = await sql<DocumentWords>`
    select s.video_id as id, s.title,
      array_to_string(tsvector_to_array(ts_filter(s.words, '{a,b}')), ' ') as labels
    from (select distinct row from (${sql.join(parts, sql` union all `)}) every) hits
    join video_search s on s.ctid = hits.row`.execute(db);
  return rows;
}

/**
 * Matches if a single actor's name contains all the words. Reads only the actors of matching
 * videos. Doesn't use `exists`, because PostgreSQL may turn it into a scan of all actors.
 */
const matchesOneActor = ({ query }: WordsMatch) => sql`(
  select bool_or(words_of(a.name_folded, 'A') @@ ${query}::tsquery)
  from video_actors j join actors a on a.id = j.actor_id where j.video_id = s.video_id)`;

/**
 * Returns one page by relevance. The field counts first: all words in the title, then in the name
 * of one actor, title and actors, tags, categories, description. After that, words as typed rank
 * above their other readings, whole words above prefixes, then titles with few other words, then
 * trend.
 */
export async function rankVideos(
  db: DbOrTrx,
  match: WordsMatch,
  filter: VideoFilter,
  page: { limit: number; offset: number },
): Promise<RankedPage> {
  const narrowed = idConditions(sql`s.video_id`, { ...filter, match: undefined });
  const isAnywhere = narrowed.length === 0;
  const where = allOf([visible(filter.visibility === "listed"), ...narrowed]);
  const length = sql`${Math.max(1, match.text.length)}::int`;
  // Share of the title that the words cover. A title that matches exactly ranks first.
  const quarters = sql`case when s.title = ${match.text} then 5
    else (4 * ${length}) / greatest(length(s.title), ${length}) end`;
  const nearest =
    match.nearest === null
      ? sql``
      : sql`+ case when s.words @@ ${match.nearest}::tsquery then 16 else 0 end`;
  const inNames = match.text.includes(" ")
    ? sql`case when ${matchesOneActor(match)} then 160 else 128 end`
    : sql`128`;
  // A single number, because sorting by several columns takes longer: the field times 32, nearest
  // 16, whole 8, quarters up to 5. Titles are short, so they are checked first.
  const score = sql`case
    when s.title_words @@ ${match.query}::tsquery then ${sql.lit(inTitle)} + ${quarters}
    when s.words @@ ${match.inNames}::tsquery then ${inNames}
    when s.words @@ ${match.inTags}::tsquery then 96
    when s.words @@ ${match.inCategories}::tsquery then 64
    else 32 end ${nearest}
    + case when s.title_words @@ ${match.whole}::tsquery or s.words @@ ${match.whole}::tsquery
      then 8 else 0 end`;
  // Reads only ranked videos, because a tier contains thousands of videos with a common word.
  const newest = (column: "title_words" | "words") => sql`
    select s.video_id, ${score} as score from video_search s
    where s.ctid = any(array(${newestMatches(match, { column, columns: sql`s.ctid`, where, limit: sql.lit(rankedMax) })}))`;
  // With a label, the best plan depends on how many videos the label has.
  const { rows } = await sql<{ id: string; total: number }>`${isAnywhere ? prepared : sql``}
    with newest as materialized (${newest("words")}), size as materialized (
      -- Of fewer than are ranked, and of titles only, the newest are all that there is to rank.
      select count(*) as found,
        count(*) < ${sql.lit(rankedMax)} or min(score) >= ${sql.lit(inTitle)} as is_all from newest
    ), titled as materialized (
      select * from (${newest("title_words")}) found where not (select is_all from size)
    ), ranked as materialized (
      select * from newest where (select is_all from size)
      union all select * from titled
      union all (select * from newest
        where score < ${sql.lit(inTitle)} and not (select is_all from size)
        order by video_id desc
        limit (select ${sql.lit(rankedMax)} - count(*) from titled))
    ), likely as materialized (
      -- The trend is read only for videos that may be on the page, and for all of them at once.
      select v.id, v.trend from videos v where v.id = any(array(
        select video_id from ranked where score >= coalesce((select score from ranked
          order by score desc offset ${page.offset + page.limit - 1} limit 1), 0)))
    )
    select id, (select found from size) as total
    from likely join ranked on video_id = id
    order by score desc, trend desc, id desc
    limit ${page.limit} offset ${page.offset}`.execute(db);
  const first = rows[0];
  if (first !== undefined || page.offset === 0) {
    return { ids: rows.map(({ id }) => id), total: first?.total ?? 0 };
  }
  // After the end, no row contains the total.
  const { total } = await rankVideos(db, match, filter, { limit: 1, offset: 0 });
  return { ids: [], total };
}

/**
 * Returns a page of the closest videos in the given order. Leaves out those that the filter
 * excludes.
 */
export async function listClosestPage(
  db: DbOrTrx,
  ids: readonly string[],
  filter: VideoFilter,
  page: { limit: number; offset: number },
): Promise<RankedPage> {
  const where = [
    ...(filter.visibility === "listed" ? [sql`v.is_listed`] : []),
    ...rowConditions({ ...filter, match: undefined }),
  ];
  const { rows } = await sql<{ id: string }>`
    select g.id from unnest(${[...ids]}::uuid[]) with ordinality as g (id, at)
    join videos v on v.id = g.id
    where ${allOf(where)} order by at`.execute(db);
  const shown = rows.slice(page.offset, page.offset + page.limit);
  return { ids: shown.map(({ id }) => id), total: rows.length };
}

/** Labels by weight. */
const labelFields = [
  { table: "actors", kind: "inLabel", sign: "" },
  { table: "tags", kind: "inLabel", sign: "#" },
  { table: "categories", kind: "inCategory", sign: "" },
] as const;

/**
 * Returns the field of each video that contains the most words. Reads other fields only if the title
 * lacks words, and folds descriptions only if the document mixes them with captions.
 * @param words queries, one per word.
 */
export async function listFields(
  db: DbOrTrx,
  ids: readonly string[],
  words: readonly string[],
): Promise<Map<string, FoundField>> {
  const labels = labelFields.map(({ table, kind, sign }, at) => {
    const { join, column } = labelTables[table];
    return sql`
      select j.video_id, ${sql.lit(at + 2)}, j.position, ${sql.lit(kind)}, ${sql.lit(sign)} || l.name,
        words_of(l.name_folded, 'A')
      from rest join ${sql.table(join)} j on j.video_id = rest.id
      join ${sql.table(table)} l on l.id = j.${sql.ref(column)}`;
  });
  const { rows } = await sql<{
    id: string;
    kind: VideoReason["kind"];
    name: string | null;
    found: number[];
  }>`${prepared}
    with words as materialized (
      select word::tsquery, at::int
      from unnest(${[...words]}::text[]) with ordinality as given (word, at)
    ), documents as materialized (
      select video_id as id, title_words, words as all_words,
        (select bool_and(title_words @@ word) from words) as is_titled
      from video_search where video_id = any(${[...ids]}::uuid[])
    ), rest as materialized (
      select id, all_words, captions, translations, description
      from documents join videos using (id) where not is_titled
    ), fields (id, place, position, kind, name, words) as (
      select id, 1, 0, 'inTitle', null, title_words from documents
      union all
      select id, 1, 1, 'inTitle', null, words_of(fold(left(value->>'title', 1000)), 'A')
      from rest, jsonb_each(translations)
      union all ${sql.join(labels, sql` union all `)}
      union all
      select id, 5, 0, 'inDescription', null, case when captions = '[]'
        then ts_filter(all_words, '{d}') else words_of(fold(left(description, 10000)), 'D') end
      from rest
      union all
      select id, 5, 1, 'inDescription', null,
        words_of(fold(left(value->>'description', 10000)), 'D')
      from rest, jsonb_each(translations) where captions <> '[]'
    )
    select id, kind, name, found
    from fields cross join lateral (
      select array_agg(at) as found from words where fields.words @@ word) matching
    where found is not null order by cardinality(found) desc, place, position`.execute(db);
  return new Map(
    [...Map.groupBy(rows, ({ id }) => id)].map(([id, fields]) => {
      const { kind, name = null } = fields[0] ?? { kind: "similarWords" };
      const found = new Set(fields.flatMap((field) => field.found));
      const reason = name === null ? { kind } : { kind, name };
      return [id, { reason, hasAllWords: found.size === words.length }];
    }),
  );
}

/**
 * Returns when these words are spoken in each video, in seconds. That is the first passage with all
 * of them, otherwise the first with any.
 */
export async function listSpoken(
  db: DbOrTrx,
  ids: readonly string[],
  { query }: Pick<WordsMatch, "query">,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; startS: number }>`${prepared}
    select distinct on (p.video_id) p.video_id as id, p.start_s as "startS"
    from caption_passages p
    where p.video_id = any(${[...ids]}::uuid[])
      and p.words @@ replace(${query}, '&', '|')::tsquery
    order by p.video_id, (p.words @@ ${query}::tsquery) desc, p.number`.execute(db);
  return new Map(rows.map(({ id, startS }) => [id, startS]));
}

/** Writes some of the outdated documents in one transaction. @returns their number. */
export async function refreshStaleDocuments(db: DbOrTrx): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select refresh_stale_search(${documentsPerBatch}) as n`.execute(db);
  return rows[0]?.n ?? 0;
}
