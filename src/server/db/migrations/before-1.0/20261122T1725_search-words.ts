import { sql, type Kysely } from "kysely";

/** As the migration `search-tiers` numbers documents. */
const tierSize = 16_384;
/** Letters of one script, and what each is in Latin letters, as far as it is one letter. */
const letters = "абвгдезийыклмнопрстуфхцэєіїґαβγδεζηικλμνξοπρσςτυφχω";
const latin = "abvgdeziiiklmnoprstufhceeiigabgdeziiklmnxoprsstyfho";
/** Those that are several. */
const several = [
  ["ж", "zh"],
  ["ч", "ch"],
  ["ш", "sh"],
  ["щ", "sch"],
  ["ю", "iu"],
  ["я", "ia"],
  ["ъ", ""],
  ["ь", ""],
  ["θ", "th"],
  ["ψ", "ps"],
] as const;

/**
 * Words by how they are spelled. Two words share a key if each is the other with at most one letter
 * missing, replaced or too many, from six letters on with at most two, in their first eight letters. The
 * keys stand in an index alone. `search_typos` held the same for one letter; processes of the release
 * before read it until they are replaced.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const romanised = several.reduce(
    (text, [letter, sounds]) => sql`replace(${text}, ${sql.lit(letter)}, ${sql.lit(sounds)})`,
    sql`translate(word, ${sql.lit(letters)}, ${sql.lit(latin)})`,
  );
  // Bodies with `return` name their functions for good: an index is written without a search path.
  await sql`
    create function romanise(word text) returns text
    language sql immutable strict parallel safe return ${romanised}`.execute(db);
  await sql`
    create function spelling_keys(word text) returns text[]
    language sql immutable strict parallel safe cost 10000
    return case when length(word) between 3 and 24 and word !~ '^[0-9]+$' then array(
      with one as (select one_letter_less(left(word, 8)) as key)
      select key from one
      union select one_letter_less(key) from one where length(word) > 5
    ) else '{}'::text[] end`.execute(db);
  await sql`
    create function search_keys(word text) returns text[]
    language sql immutable strict parallel safe cost 10000
    return spelling_keys(word)
      || case when romanise(word) = word then '{}'::text[] else spelling_keys(romanise(word)) end`.execute(
    db,
  );
  // Short words and numbers too: joined words are divided into words that occur.
  await sql`
    insert into search_words
    select distinct lexeme from video_search d,
      unnest(tsvector_to_array(ts_filter(d.words, '{a,b,c}'))) as lexeme
    where length(lexeme) <= 24
    on conflict do nothing`.execute(db);
  await sql`
    create index search_words_keys_idx on search_words using gin (search_keys(word))
      with (fastupdate = off)`.execute(db);
  await sql`create index search_words_beginning_idx on search_words (word text_pattern_ops)`.execute(
    db,
  );
  await replaceWriter(db);
}

/** As before, with every word of titles and labels. */
async function replaceWriter(db: Kysely<unknown>): Promise<void> {
  const names = (table: string, join: string, column: string) => sql`
    (select string_agg(l.name_folded, ' ' order by j.position, l.id)
      from ${sql.table(join)} j join ${sql.table(table)} l on l.id = j.${sql.id(column)}
      where j.video_id = v.id)`;
  await sql`
    create or replace function write_search_documents(ids uuid[]) returns void language plpgsql as $$
    declare
      names tsvector[];
    begin
      -- Of two changes of one video the second waits here, then reads what the first has written.
      perform from video_search where video_id = any(ids) order by video_id for update;
      with written as (
        insert into video_search as s (video_id, tier, is_listed, title, title_words, words)
        select id,
          coalesce((select d.tier from video_search d where d.video_id = id),
            nextval('search_document_numbers') / ${sql.lit(tierSize)}),
          is_listed, title, words_of(title, 'A'),
          words_of(title, 'A') || words_of(actors, 'A') || words_of(tags, 'B')
            || words_of(categories, 'C') || words_of(description, 'D')
        from (
          select v.id, v.is_listed, fold(v.title) as title,
            ${names("actors", "video_actors", "actor_id")} as actors,
            ${names("tags", "video_tags", "tag_id")} as tags,
            ${names("categories", "video_categories", "category_id")} as categories,
            fold(left(v.description, 10000)) as description
          from videos v where v.id = any(ids)
        ) facts
        order by id
        on conflict (video_id) do update set is_listed = excluded.is_listed,
          title = excluded.title, title_words = excluded.title_words, words = excluded.words
        returning ts_filter(words, '{a,b,c}') as named
      )
      select array_agg(named) into names from written;
      insert into search_words
      select distinct lexeme from unnest(names) as named, unnest(tsvector_to_array(named)) as lexeme
      where length(lexeme) <= 24 and not exists (select from search_words w where w.word = lexeme)
      order by 1
      on conflict do nothing;
    end $$`.execute(db);
}
