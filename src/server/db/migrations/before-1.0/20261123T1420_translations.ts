import { sql, type Kysely } from "kysely";

/** Of the captions of a video so many characters are searched, as before. */
const maxCaptionText = 200_000;

/**
 * Title and description of a video in other languages. They are searched with their video, and
 * stand in its stamp.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table videos add column translations jsonb not null default '{}'`.execute(db);
  await sql`
    create trigger stamp_video_translations before update of translations
    on videos for each row execute function stamp_video()`.execute(db);
  await sql`
    create function follow_translations() returns trigger language plpgsql as $$
    begin
      perform write_search_documents(array[new.id]);
      return null;
    end $$`.execute(db);
  await sql`
    create trigger follow_translations after update of translations on videos for each row
      when (old.translations is distinct from new.translations)
      execute function follow_translations()`.execute(db);
  await replaceWriter(db);
}

/** As before, with the words of translations: titles count as those of the video. */
async function replaceWriter(db: Kysely<unknown>): Promise<void> {
  const names = (table: string, join: string, column: string) => sql`
    (select string_agg(l.name_folded, ' ' order by j.position, l.id)
      from ${sql.table(join)} j join ${sql.table(table)} l on l.id = j.${sql.id(column)}
      where j.video_id = v.id)`;
  const translated = (field: string, maxLength: number) => sql`
    (select string_agg(fold(left(t.value->>${sql.lit(field)}, ${sql.lit(maxLength)})), ' ' order by t.key)
      from jsonb_each(v.translations) t)`;
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
          words_of(title, 'A') || words_of(titles, 'A') || words_of(actors, 'A')
            || words_of(tags, 'B') || words_of(categories, 'C') || words_of(description, 'D')
            || words_of(descriptions, 'D') || words_of(spoken, 'D')
        from (
          select v.id, v.is_listed, fold(v.title) as title,
            ${translated("title", 1000)} as titles,
            ${names("actors", "video_actors", "actor_id")} as actors,
            ${names("tags", "video_tags", "tag_id")} as tags,
            ${names("categories", "video_categories", "category_id")} as categories,
            fold(left(v.description, 10000)) as description,
            ${translated("description", 10_000)} as descriptions,
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
