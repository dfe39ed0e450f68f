import { sql, type Kysely } from "kysely";

const labels = [
  { table: "categories", join: "video_categories", column: "category_id" },
  { table: "tags", join: "video_tags", column: "tag_id" },
  { table: "actors", join: "video_actors", column: "actor_id" },
] as const;

/**
 * Search: one folded document per video, kept by triggers. `title_words` are the words of the
 * title, `words` all words with weights: title and actors A, tags B, categories C, description D.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTables(db);
  await createWriters(db);
  await sql`
    create function search_new_videos() returns trigger language plpgsql as $$
    begin
      perform refresh_search(array(select id from new_rows));
      return null;
    end $$`.execute(db);
  await sql`
    create trigger search_new_videos after insert on videos
      referencing new table as new_rows for each statement
      execute function search_new_videos()`.execute(db);
  for (const label of labels) await addLabelTriggers(db, label);
}

async function createTables(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table video_search (
      video_id uuid primary key references videos (id) on delete cascade,
      is_listed boolean not null,
      title text not null,
      title_words tsvector not null,
      words tsvector not null
    )`.execute(db);
  // Without a list of pending entries, which every search would have to read through.
  for (const [name, column] of [
    ["title", sql`title_words`],
    ["words", sql`words`],
    ["trgm", sql`title gin_trgm_ops`],
  ] as const) {
    await sql`
      create index ${sql.id(`video_search_${name}_idx`)} on video_search using gin (${column})
        with (fastupdate = off)`.execute(db);
  }
  // Videos whose documents a job writes later: after changes of very many at once.
  await sql`create table search_stale (video_id uuid primary key)`.execute(db);
  // Every word of titles and labels that a typo may stand for.
  await sql`create table search_words (word text primary key)`.execute(db);
  await sql`
    create table search_typos (
      variant text not null,
      word text not null references search_words (word) on delete cascade,
      primary key (variant, word)
    )`.execute(db);
}

async function createWriters(db: Kysely<unknown>): Promise<void> {
  const names = ({ table, join, column }: (typeof labels)[number]) => sql`
    (select string_agg(l.name_folded, ' ' order by j.position, l.id)
      from ${sql.table(join)} j join ${sql.table(table)} l on l.id = j.${sql.id(column)}
      where j.video_id = v.id)`;
  await sql`
    create function write_search_documents(ids uuid[]) returns void language plpgsql as $$
    declare
      names tsvector[];
    begin
      -- Of two changes of one video the second waits here, then reads what the first has written.
      perform from video_search where video_id = any(ids) order by video_id for update;
      with written as (
        insert into video_search as s (video_id, is_listed, title, title_words, words)
        select id, is_listed, title, words_of(title, 'A'),
          words_of(title, 'A') || words_of(actors, 'A') || words_of(tags, 'B')
            || words_of(categories, 'C') || words_of(description, 'D')
        from (
          select v.id, v.is_listed, fold(v.title) as title,
            ${names(labels[2])} as actors, ${names(labels[1])} as tags,
            ${names(labels[0])} as categories, fold(left(v.description, 10000)) as description
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
  // A change of very many videos (a renamed label, an import) does not wait for their documents.
  await sql`
    create function refresh_search(ids uuid[]) returns void language plpgsql as $$
    begin
      if cardinality(ids) <= 500 then
        perform write_search_documents(ids);
      else
        insert into search_stale select distinct unnest(ids) order by 1 on conflict do nothing;
      end if;
    end $$`.execute(db);
  await sql`
    create function refresh_stale_search(max_documents int) returns int language plpgsql as $$
    declare
      ids uuid[];
    begin
      with taken as (
        delete from search_stale where video_id in (
          select video_id from search_stale order by video_id limit max_documents
          for update skip locked)
        returning video_id
      )
      select array_agg(video_id) into ids from taken;
      if ids is null then return 0; end if;
      perform write_search_documents(ids);
      return cardinality(ids);
    end $$`.execute(db);
}

/** Documents follow when a video gets or loses a label, and when a label gets another name. */
async function addLabelTriggers(
  db: Kysely<unknown>,
  { table, join, column }: (typeof labels)[number],
): Promise<void> {
  for (const [event, rows, tables] of [
    ["insert", "select video_id from new_rows", "new table as new_rows"],
    [
      "update",
      `select n.video_id from new_rows n full join old_rows o using (video_id, ${column})
        where n.video_id is null or o.video_id is null
        union select o.video_id from new_rows n full join old_rows o using (video_id, ${column})
        where n.video_id is null`,
      "old table as old_rows new table as new_rows",
    ],
    ["delete", "select video_id from old_rows", "old table as old_rows"],
  ] as const) {
    const name = sql.id(`search_${join}_${event}`);
    await sql`
      create function ${name}() returns trigger language plpgsql as $$
      begin
        perform refresh_search(array(
          select distinct video_id from (${sql.raw(rows)}) r where video_id is not null));
        return null;
      end $$`.execute(db);
    await sql`
      create trigger ${name} after ${sql.raw(event)} on ${sql.table(join)}
        referencing ${sql.raw(tables)} for each statement execute function ${name}()`.execute(db);
  }
  const name = sql.id(`search_${table}_renamed`);
  await sql`
    create function ${name}() returns trigger language plpgsql as $$
    begin
      perform refresh_search(array(
        select video_id from ${sql.table(join)} where ${sql.id(column)} = new.id));
      return null;
    end $$`.execute(db);
  await sql`
    create trigger ${name} after update of name on ${sql.table(table)}
      for each row when (old.name is distinct from new.name)
      execute function ${name}()`.execute(db);
}
