import { sql, type Kysely } from "kysely";

/** Of the captions of a video so many characters are searched: about five hours of speech. */
const maxCaptionText = 200_000;

/**
 * Captions are searched with their videos. They are kept in passages of some seconds, so that a search
 * also finds the time, and their words stand in the document of the video with the weight of its
 * description. A job writes the passages of videos whose captions have changed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table caption_passages (
      video_id uuid not null references videos (id) on delete cascade,
      number int not null,
      start_s int not null,
      text text not null,
      words tsvector not null generated always as (words_of(text, 'D')) stored,
      primary key (video_id, number)
    )`.execute(db);
  await sql`
    create table caption_stale (
      video_id uuid primary key references videos (id) on delete cascade
    )`.execute(db);
  await sql`
    create function note_stale_captions() returns trigger language plpgsql as $$
    begin
      insert into caption_stale values (new.id) on conflict do nothing;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger note_stale_captions after update of captions on videos for each row
      when (old.captions is distinct from new.captions)
      execute function note_stale_captions()`.execute(db);
  await sql`
    create trigger note_new_captions after insert on videos for each row
      when (new.captions <> '[]') execute function note_stale_captions()`.execute(db);
  await sql`insert into caption_stale select id from videos where captions <> '[]'`.execute(db);
  await replaceWriter(db);
}

/** As before, with the words of captions. */
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
            nextval('search_document_numbers') / 16384),
          is_listed, title, words_of(title, 'A'),
          words_of(title, 'A') || words_of(actors, 'A') || words_of(tags, 'B')
            || words_of(categories, 'C') || words_of(description, 'D') || words_of(spoken, 'D')
        from (
          select v.id, v.is_listed, fold(v.title) as title,
            ${names("actors", "video_actors", "actor_id")} as actors,
            ${names("tags", "video_tags", "tag_id")} as tags,
            ${names("categories", "video_categories", "category_id")} as categories,
            fold(left(v.description, 10000)) as description,
            (select left(string_agg(p.text, ' ' order by p.number), ${sql.lit(maxCaptionText)})
              from caption_passages p where p.video_id = v.id) as spoken
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
