import { sql } from "kysely";
import type { Suggestion } from "../../../contract/search.ts";
import { taxonomyKinds, type TaxonomyKind } from "../../../contract/taxonomy.ts";
import type { DbOrTrx } from "../../db/connection.ts";
import { prepared } from "../../db/prepared-statements.ts";
import { newestMatches } from "./search.repository.ts";

/** How many names with the prefix are compared, the shortest first. */
const namesMax = 100;
/** How many of the newest matching titles are compared: all of a word that is not very common. */
const newestMax = 500;
/** Of very common words, these many of the most trending videos are looked through as well. */
const trendingMax = 500;

const kindOf: Record<TaxonomyKind, Suggestion["kind"]> = {
  categories: "category",
  tags: "tag",
  actors: "actor",
};

/** Labels with a word of this prefix: names that start with it first, then by number of videos. */
export async function suggestLabels(
  db: DbOrTrx,
  folded: string,
  limit: number,
): Promise<Suggestion[]> {
  const hits = taxonomyKinds.map(
    (table) => sql`
      (select ${kindOf[table]} as kind, id, name, slug, name_folded like ${`${folded}%`} as is_start
      from ${sql.table(table)}
      where name_folded like ${`${folded}%`} or name_folded like ${`% ${folded}%`}
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

/**
 * Titles with these words: titles that start with them first, then by trend. Compared are the newest,
 * and of what is trending those with the words.
 */
export async function suggestTitles(
  db: DbOrTrx,
  match: { text: string; query: string; tiered: string },
  limit: number,
): Promise<Suggestion[]> {
  const newest = newestMatches(match, {
    column: "title_words",
    columns: sql`s.video_id, s.title`,
    where: sql`s.is_listed`,
    limit: sql.lit(newestMax),
  });
  // Each title once: a series or a second upload would fill the list with one title.
  const { rows } = await sql<Suggestion>`${prepared}
    with newest as materialized (${newest}), trending as materialized (
      select id from videos where is_listed and (select count(*) from newest) >= ${sql.lit(newestMax)}
      order by trend desc, id desc limit ${sql.lit(trendingMax)}
    ), hits as (
      select * from newest union
      select s.video_id, s.title from trending t join video_search s on s.video_id = t.id
      where s.title_words @@ ${match.query}::tsquery
    ), found as (
      select v.title as text, v.slug, v.trend, v.id, h.title, h.title like ${`${match.text}%`} as is_start
      from hits h join videos v on v.id = h.video_id
      order by is_start desc, v.trend desc, v.id desc limit ${limit * 3}
    ), once as (
      select distinct on (title) * from found order by title, trend desc, id desc
    )
    select 'title' as kind, text, slug from once
    order by is_start desc, trend desc, id desc limit ${limit}`.execute(db);
  return rows;
}
