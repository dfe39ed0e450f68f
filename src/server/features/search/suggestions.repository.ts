import { sql, type RawBuilder } from "kysely";
import type { Suggestion } from "#contract/lists/search.ts";
import { labelKinds, type LabelKind } from "#contract/lists/labels.ts";
import type { DbOrTrx } from "#server/db/connection.ts";
import { prepared } from "#server/db/prepared-statements.ts";
import type { WordsMatch } from "#server/features/videos/query/video-filter.sql.ts";
import { joiner } from "./search-query.ts";
import { newestMatches } from "./search.repository.ts";

/** Maximum number of names with the prefix to compare, shortest first. */
const namesMax = 100;
/**
 * Maximum number of newest matching titles to compare. That covers all titles if a word isn't very
 * common.
 */
const newestMax = 500;
/** Number of most trending videos that are also searched if a word is very common. */
const trendingMax = 500;

const kindOf: Record<LabelKind, Suggestion["kind"]> = {
  categories: "category",
  tags: "tag",
  actors: "actor",
};

/**
 * Returns labels that start with one of the texts, then those that contain the first text from the
 * start of a word, or from any character in scripts without spaces. Both are sorted by number of
 * videos.
 */
export async function suggestLabels(
  db: DbOrTrx,
  beginnings: readonly string[],
  limit: number,
): Promise<Suggestion[]> {
  const starts = beginnings.map((text) => `${text}%`);
  const inside = [" ", joiner].map((before) => `%${before}${beginnings[0] ?? ""}%`);
  const hits = labelKinds.map(
    (table) => sql`
      (select ${kindOf[table]} as kind, id, name, slug, name_folded like any(${starts}::text[]) as is_start
      from ${sql.table(table)}
      where name_folded like any(${[...starts, ...inside]}::text[])
      order by is_start desc, length(name_folded), name_folded limit ${sql.lit(namesMax)})`,
  );
  const { rows } = await sql<Suggestion>`
    with hits as materialized (${sql.join(hits, sql` union all `)}),
    counted as (
      select h.*, (select coalesce(sum(listed), 0) from (
        select listed from tallies where scope = h.id
        union all select listed from tally_changes where scope = h.id) parts) as listed
      from hits h
    )
    select kind, name as text, slug from counted where listed > 0
    order by is_start desc, listed desc, name, id limit ${limit}`.execute(db);
  return rows;
}

/** Titles by language in the form of a suggestion; null without any. */
const titlesOf = (given: RawBuilder<unknown>) => sql`(
  select jsonb_object_agg(key, jsonb_build_object('text', value->'title'))
  from jsonb_each(${given}) where value->>'title' is not null)`;

type TitleRow = Omit<Suggestion, "translations"> & {
  translations: NonNullable<Suggestion["translations"]> | null;
};

const suggestionOf = ({ translations, ...rest }: TitleRow): Suggestion =>
  translations === null ? rest : { ...rest, translations };

/** Returns listed videos with these ids, in this order. Shows each title once. */
export async function suggestVideos(
  db: DbOrTrx,
  ids: readonly string[],
  limit: number,
): Promise<Suggestion[]> {
  const { rows } = await sql<TitleRow>`
    with found as (
      select title as text, (array_agg(slug order by at))[1] as slug,
        (array_agg(translations order by at))[1] as others, min(at) as at
      from unnest(${[...ids]}::uuid[]) with ordinality as given (id, at) join videos v using (id)
      where v.is_listed group by title order by min(at) limit ${limit}
    )
    select 'title' as kind, text, slug, ${titlesOf(sql`others`)} as translations
    from found order by at`.execute(db);
  return rows.map(suggestionOf);
}

/**
 * Returns titles that contain these words. Those that start with them come first, then sorts by
 * trend. Compares the newest titles, and trending ones that contain the words.
 */
export async function suggestTitles(
  db: DbOrTrx,
  match: WordsMatch,
  limit: number,
): Promise<Suggestion[]> {
  const newest = newestMatches(match, {
    column: "title_words",
    columns: sql`s.video_id, s.title`,
    where: sql`s.is_listed`,
    limit: sql.lit(newestMax),
  });
  // Each title once. Otherwise a series or a duplicate upload would fill the list.
  const { rows } = await sql<TitleRow>`${prepared}
    with newest as materialized (${newest}), trending as materialized (
      select id from videos where is_listed and (select count(*) from newest) >= ${sql.lit(newestMax)}
      order by trend desc, id desc limit ${sql.lit(trendingMax)}
    ), hits as (
      select * from newest union
      select s.video_id, s.title from trending t join video_search s on s.video_id = t.id
      where s.title_words @@ ${match.query}::tsquery
    ), found as (
      select v.title as text, v.translations as others, v.slug, v.trend, v.id, h.title,
        h.title like any(${match.beginnings.map((text) => `${text}%`)}::text[]) as is_start
      from hits h join videos v on v.id = h.video_id
      order by is_start desc, v.trend desc, v.id desc limit ${limit * 3}
    ), once as (
      select distinct on (title) * from found order by title, trend desc, id desc
    )
    select 'title' as kind, text, slug, ${titlesOf(sql`others`)} as translations from once
    order by is_start desc, trend desc, id desc limit ${limit}`.execute(db);
  return rows.map(suggestionOf);
}

/**
 * Returns the most trending of the newest listed videos that have these words in a translated
 * title.
 */
export async function suggestTranslatedTitles(
  db: DbOrTrx,
  match: WordsMatch,
  limit: number,
): Promise<Suggestion[]> {
  const newest = newestMatches(match, {
    column: "words",
    columns: sql`s.video_id`,
    where: sql`s.is_listed`,
    limit: sql.lit(newestMax),
  });
  const { rows } = await sql<TitleRow>`${prepared}
    with newest as materialized (${newest})
    select 'title' as kind, v.title as text, v.slug, ${titlesOf(sql`v.translations`)} as translations
    from newest join videos v on v.id = newest.video_id
    where v.translations <> '{}' and exists (
      select from jsonb_each(v.translations) t
      where words_of(fold(left(t.value->>'title', 1000)), 'A') @@ ${match.query}::tsquery)
    order by v.trend desc, v.id desc limit ${limit}`.execute(db);
  return rows.map(suggestionOf);
}
