import { sql, type Kysely } from "kysely";

const labels = [
  { table: "categories", join: "video_categories", column: "category_id" },
  { table: "tags", join: "video_tags", column: "tag_id" },
  { table: "actors", join: "video_actors", column: "actor_id" },
] as const;

/** Between the characters of scripts without spaces: they are words of their own that belong together. */
const joiner = "\\u2060";
/** Joined to their neighbours without a space: Han, Kana, Thai, Lao, Burmese, Khmer, and pictographs. */
const single =
  "\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u2600-\\u27bf\\u2e80-\\u2fdf\\u3040-\\u312f\\u31a0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\U0001f000-\\U0001faff\\U00020000-\\U0003ffff";
/** What is neither letter nor digit; named, since classes such as [[:alnum:]] depend on the locale. */
const separators =
  "\\u0001-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u00bf\\u00d7\\u00f7\\u02b0-\\u02ff\\u0589\\u058a\\u05be\\u05c0\\u05c3\\u05f3\\u05f4\\u060c\\u061b\\u061f\\u066a-\\u066d\\u06d4\\u0964\\u0965\\u0e2f\\u0e4f\\u0e5a\\u0e5b\\u104a-\\u104f\\u17d4-\\u17da\\u2000-\\u206f\\u20a0-\\u20cf\\u2100-\\u25ff\\u27c0-\\u2bff\\u2e00-\\u2e7f\\u3000-\\u303f\\ufe10-\\ufe6f\\uff00-\\uff0f\\ufffc\\ufffd";
/** Signs that change the letter before them, and selectors of looks: without meaning here. */
const marks = "\\u0300-\\u036f\\ufe00-\\ufe0f'’ʼ";

/**
 * Search: one folded document per video, kept up by triggers. `title_words` are the words of the
 * title, `words` everything with weights: title and actors A, tags B, categories C, description D.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Titles are searched here from now on; every count of a view had to write into the old one.
  await sql`drop index videos_title_trgm_idx`.execute(db);
  await addFolding(db);
  for (const { table } of labels) {
    await sql`
      alter table ${sql.table(table)}
        add column name_folded text not null generated always as (fold(name)) stored`.execute(db);
    await sql`
      create index ${sql.id(`${table}_folded_idx`)} on ${sql.table(table)}
        using gin (name_folded gin_trgm_ops)`.execute(db);
  }
  await addDocuments(db);
  await followChanges(db);
  await sql`insert into search_stale select id from videos`.execute(db);
}

async function addFolding(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select nspname as name from pg_extension e join pg_namespace n on n.oid = e.extnamespace
    where extname = 'unaccent'`.execute(db);
  const schema = rows[0]?.name ?? "public";
  // Immutable by our word: the rules of unaccent are part of the installation.
  await sql`
    create function fold(given text) returns text language plpgsql immutable strict parallel safe as $$
    declare
      t text := ${sql.id(schema)}.unaccent(
        ${sql.lit(`${schema}.unaccent`)}::regdictionary, normalize(given, NFKC));
    begin
      t := regexp_replace(lower(t), ${sql.lit(`[${marks}]+`)}, '', 'g');
      t := regexp_replace(translate(t, 'ς', 'σ'), ${sql.lit(`[${separators}]+`)}, ' ', 'g');
      if t ~ ${sql.lit(`[${single}]`)} then
        t := regexp_replace(t, ${sql.lit(`([${single}])`)}, ${sql.raw(`E'${joiner}\\\\1${joiner}'`)}, 'g');
        t := regexp_replace(t, ${sql.lit(`${joiner}* +${joiner}*`)}, ' ', 'g');
        t := regexp_replace(t, ${sql.lit(`${joiner}+`)}, ${sql.raw(`E'${joiner}'`)}, 'g');
        t := btrim(t, ${sql.raw(`E'${joiner}'`)});
      end if;
      return btrim(t);
    end $$`.execute(db);
  // Words longer than a lexeme may be are cut; so are those of a query.
  await sql`
    create function words_of(folded text, weight text) returns tsvector
    language sql immutable parallel safe as $$
      select coalesce(
        string_agg('''' || left(word, 64) || ''':' || least(at, 16000) || weight, ' '), '')::tsvector
      from regexp_split_to_table(coalesce(folded, ''), ${sql.lit(`[ ${joiner}]+`)})
        with ordinality as split (word, at)
      where word <> ''
    $$`.execute(db);
  // The word itself and what is left of it without one letter: two words that share one of these
  // differ by one typo (or by a little more, which the caller checks).
  await sql`
    create function one_letter_less(word text) returns setof text
    language sql immutable strict parallel safe as $$
      select word union
      select left(word, at - 1) || substr(word, at + 1) from generate_series(1, length(word)) as at
    $$`.execute(db);
}

async function addDocuments(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table video_search (
      video_id uuid primary key references videos (id) on delete cascade,
      is_listed boolean not null,
      title text not null,
      title_words tsvector not null,
      words tsvector not null
    )`.execute(db);
  // Without a list of pending entries: a search never has to read through one.
  await sql`
    create index video_search_title_idx on video_search using gin (title_words)
      with (fastupdate = off)`.execute(db);
  await sql`
    create index video_search_words_idx on video_search using gin (words)
      with (fastupdate = off)`.execute(db);
  await sql`
    create index video_search_trgm_idx on video_search using gin (title gin_trgm_ops)
      with (fastupdate = off)`.execute(db);
  // Videos whose document is to be made anew by the job: after changes of very many at once.
  await sql`create table search_stale (video_id uuid primary key)`.execute(db);
  // Every word of titles and labels that a typo may have been meant to be.
  await sql`create table search_words (word text primary key)`.execute(db);
  await sql`
    create table search_typos (
      variant text not null,
      word text not null references search_words (word) on delete cascade,
      primary key (variant, word)
    )`.execute(db);

  const names = ({ table, join, column }: (typeof labels)[number]) => sql`
    (select string_agg(l.name_folded, ' ' order by j.position, l.id)
      from ${sql.table(join)} j join ${sql.table(table)} l on l.id = j.${sql.id(column)}
      where j.video_id = v.id)`;
  await sql`
    create function make_search_documents(ids uuid[]) returns void language plpgsql as $$
    declare
      names tsvector[];
    begin
      -- Two changes of one video: the second waits here, then reads what the first has done.
      perform from video_search where video_id = any(ids) order by video_id for update;
      with made as (
        insert into video_search as s (video_id, is_listed, title, title_words, words)
        select id, is_listed, title, words_of(title, 'A'),
          words_of(title, 'A') || words_of(actors, 'A') || words_of(tags, 'B')
            || words_of(categories, 'C') || words_of(description, 'D')
        from (
          select v.id, v.is_published and v.status = 'ready' as is_listed, fold(v.title) as title,
            ${names(labels[2])} as actors, ${names(labels[1])} as tags,
            ${names(labels[0])} as categories, fold(left(v.description, 10000)) as description
          from videos v where v.id = any(ids)
        ) facts
        order by id
        on conflict (video_id) do update set is_listed = excluded.is_listed,
          title = excluded.title, title_words = excluded.title_words, words = excluded.words
        returning ts_filter(words, '{a,b,c}') as named
      )
      select array_agg(named) into names from made;
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
  // A change of very many videos (a label renamed, rows filled in) does not wait for their documents.
  await sql`
    create function refresh_search(ids uuid[]) returns void language plpgsql as $$
    begin
      if cardinality(ids) <= 500 then
        perform make_search_documents(ids);
      else
        insert into search_stale select distinct unnest(ids) order by 1 on conflict do nothing;
      end if;
    end $$`.execute(db);
  await sql`
    create function refresh_stale_search(most int) returns int language plpgsql as $$
    declare
      ids uuid[];
    begin
      with taken as (
        delete from search_stale where video_id in (
          select video_id from search_stale order by video_id limit most for update skip locked)
        returning video_id
      )
      select array_agg(video_id) into ids from taken;
      if ids is null then return 0; end if;
      perform make_search_documents(ids);
      return cardinality(ids);
    end $$`.execute(db);
}

async function followChanges(db: Kysely<unknown>): Promise<void> {
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
  await sql`
    create function search_changed_video() returns trigger language plpgsql as $$
    begin
      perform refresh_search(array[new.id]);
      return null;
    end $$`.execute(db);
  await sql`
    create trigger search_changed_video after update of title, description, is_published, status
      on videos for each row when (
        (old.title, old.description, old.is_published and old.status = 'ready')
          is distinct from (new.title, new.description, new.is_published and new.status = 'ready'))
      execute function search_changed_video()`.execute(db);

  for (const { table, join, column } of labels) {
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
}
