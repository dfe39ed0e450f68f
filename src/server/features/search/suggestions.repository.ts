import { sql } from "kysely";
import type { Suggestion } from "../../../contract/search.ts";
import { taxonomyKinds, type TaxonomyKind } from "../../../contract/taxonomy.ts";
import type { DbOrTrx } from "../../db/connection.ts";

/** How many names with the prefix are compared, the shortest first. */
const namesMax = 100;
/** How many matching titles are compared; where more match, a walk along the trend finds the top ones. */
const titlesMax = 2000;

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

/** Titles with these words: titles that start with them first, then by trend. */
export async function suggestTitles(
  db: DbOrTrx,
  match: { text: string; query: string },
  limit: number,
): Promise<Suggestion[]> {
  const hasWords = sql`s.title_words @@ ${match.query}::tsquery and s.is_listed`;
  const start = `${match.text}%`;
  // Each title once: a series or a second upload would fill the list with one title.
  const { rows } = await sql<Suggestion>`
    with hits as materialized (
      select s.video_id, s.title from video_search s where ${hasWords} limit ${titlesMax + 1}
    ), few as (
      select v.title as text, v.slug, v.trend, v.id, h.title like ${start} as is_start, h.title
      from hits h join videos v on v.id = h.video_id
      where (select count(*) from hits) <= ${titlesMax}
      order by is_start desc, v.trend desc, v.id desc limit ${limit * 3}
    ), many as (
      select v.title as text, v.slug, v.trend, v.id, s.title like ${start} as is_start, s.title
      from videos v join video_search s on s.video_id = v.id
      where (select count(*) from hits) > ${titlesMax}
        and v.is_listed and ${hasWords}
      order by v.trend desc, v.id desc limit ${limit * 3}
    ), once as (
      select distinct on (title) * from (select * from few union all select * from many) found
      order by title, trend desc, id desc
    )
    select 'title' as kind, text, slug from once
    order by is_start desc, trend desc, id desc limit ${limit}`.execute(db);
  return rows;
}
