import { sql, type Kysely } from "kysely";

/** How many documents a tier holds: at 1,000,000 videos there are 62. */
const tierSize = 16_384;

/**
 * A search ranks the newest 1,000 videos that match, so it must find these without reading all
 * matches. Documents are numbered as they are added, and every `tierSize` of them form a tier. The
 * indexes hold each word with its tier: a search reads the newest tier, then the one before it,
 * until it has enough.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function tier_words(words tsvector, tier int) returns tsvector
    language sql immutable strict parallel safe as $$
      select array_to_tsvector(array(
        select to_hex(tier) || '/' || word from unnest(tsvector_to_array(words)) as word))
    $$`.execute(db);
  await sql`create sequence search_document_numbers minvalue 0`.execute(db);
  await addTierColumn(db);
  await replaceWriter(db);
}

/** Rewrites the table in the order of the tiers, which takes minutes for a million videos. */
async function addTierColumn(db: Kysely<unknown>): Promise<void> {
  await sql`alter table video_search rename to video_search_before`.execute(db);
  await sql`
    create table video_search (
      video_id uuid not null,
      tier int not null,
      is_listed boolean not null,
      title text not null,
      title_words tsvector not null,
      words tsvector not null
    )`.execute(db);
  await sql`
    insert into video_search
    select video_id, nextval('search_document_numbers') / ${sql.lit(tierSize)}, is_listed, title,
      title_words, words
    from (select * from video_search_before order by video_id) ordered`.execute(db);
  await sql`drop table video_search_before`.execute(db);
  await sql`
    alter table video_search add primary key (video_id),
      add foreign key (video_id) references videos (id) on delete cascade`.execute(db);
  for (const [name, column] of [
    ["title_tier", sql`tier_words(title_words, tier)`],
    ["words_tier", sql`tier_words(words, tier)`],
    // For lists that are sorted otherwise.
    ["words", sql`words`],
    ["trgm", sql`title gin_trgm_ops`],
  ] as const) {
    await sql`
      create index ${sql.id(`video_search_${name}_idx`)} on video_search using gin (${column})
        with (fastupdate = off)`.execute(db);
  }
}

/** As before, with a tier for new documents. */
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
      with added as (
        insert into search_words
        select distinct lexeme from unnest(names) as named, unnest(tsvector_to_array(named)) as lexeme
        where length(lexeme) between 4 and 24 and lexeme !~ '^[0-9]+$'
          and not exists (select from search_words w where w.word = lexeme)
        order by 1
        on conflict do nothing
        returning word
      )
      insert into search_typos select variant, word from added, one_letter_less(word) as variant
      on conflict do nothing;
    end $$`.execute(db);
}
