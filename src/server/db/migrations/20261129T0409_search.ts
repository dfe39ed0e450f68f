import { sql, type Kysely } from "kysely";

const labels = [
  { table: "categories", join: "video_categories", column: "category_id" },
  { table: "tags", join: "video_tags", column: "tag_id" },
  { table: "actors", join: "video_actors", column: "actor_id" },
] as const;

/** Number of documents in a tier: at 1,000,000 videos there are 62. */
const tierSize = 16_384;
/** Number of characters of a video's captions that are searched: about five hours of speech. */
const maxCaptionText = 200_000;

/**
 * Search and related videos. There is one folded document per video, kept by triggers. `title_words`
 * are the words of the title, `words` all words with weights: titles and actors A, tags B, categories
 * C, descriptions and captions D.
 *
 * A search ranks the newest 1,000 videos that match, so it must find these without reading all
 * matches. Documents are numbered as they are added, and every `tierSize` of them form a tier. The
 * indexes hold each word with its tier: a search reads the newest tier, then the one before it, until
 * it has enough.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function tier_words(words tsvector, tier int) returns tsvector
    language sql immutable strict parallel safe as $$
      select array_to_tsvector(array(
        select to_hex(tier) || '/' || word from unnest(tsvector_to_array(words)) as word))
    $$`.execute(db);
  await sql`create sequence search_document_numbers minvalue 0`.execute(db);
  // The indexes have no list of pending entries, which every search would have to read through.
  await sql`
    create table video_search (
      video_id uuid primary key references videos (id) on delete cascade,
      tier int not null,
      is_listed boolean not null,
      title text not null,
      title_words tsvector not null,
      words tsvector not null
    );
    create index video_search_title_tier_idx on video_search
      using gin (tier_words(title_words, tier)) with (fastupdate = off);
    create index video_search_words_idx on video_search using gin (words) with (fastupdate = off);
    create index video_search_words_tier_idx on video_search
      using gin (tier_words(words, tier)) with (fastupdate = off)`.execute(db);
  // Words of titles and labels, which typos are corrected to. Words of all documents complete
  // beginnings. A job writes the documents in `search_stale`, after changes of very many at once.
  await sql`
    create table search_words (
      word text primary key
    );
    create index search_words_beginning_idx on search_words (word text_pattern_ops);
    create index search_words_inside_idx on search_words using gin (word gin_trgm_ops);
    create index search_words_keys_idx on search_words
      using gin (search_keys(word)) with (fastupdate = off);

    create table document_words (
      word text collate "C" primary key
    );

    create table search_stale (
      video_id uuid primary key
    )`.execute(db);
  // Captions in passages of some seconds, so that a search also finds the time. A job writes the
  // passages of videos whose captions have changed.
  await sql`
    create table caption_passages (
      video_id uuid not null references videos (id) on delete cascade,
      number int not null,
      start_s int not null,
      text text not null,
      words tsvector not null generated always as (words_of(text, 'D')) stored,
      primary key (video_id, number)
    );

    create table caption_stale (
      video_id uuid primary key references videos (id) on delete cascade
    )`.execute(db);
  // Related videos are stored per video, because choosing them reads thousands of rows. A job works
  // through the queue: videos that were published or relabeled first, then by views.
  await sql`
    create table related_videos (
      video_id uuid primary key references videos (id) on delete cascade,
      ids uuid[] not null,
      spare_ids uuid[] not null,
      engaged bigint not null,
      chosen_at timestamptz not null default now(),
      reasons text[] not null default '{}',
      watched_ids uuid[] not null default '{}',
      watched_weights real[] not null default '{}'
    );
    create index related_videos_chosen_idx on related_videos (chosen_at);

    create table related_queue (
      video_id uuid primary key,
      is_urgent boolean not null,
      views bigint not null
    );
    create index related_queue_next_idx on related_queue (is_urgent desc, views desc, video_id)`.execute(
    db,
  );
  await relateVideos(db);
  await writeDocuments(db);
  await followVideos(db);
  for (const label of labels) await followLabels(db, label);
}

async function relateVideos(db: Kysely<unknown>): Promise<void> {
  // After a change of few videos nothing outdated stays. After one of very many the old choice does
  // until the job arrives there.
  await sql`
    create function relate_again(changed uuid[]) returns void language plpgsql as $$
    declare
      is_small boolean := cardinality(changed) <= 500;
    begin
      if is_small then
        delete from related_videos where video_id = any(changed);
      end if;
      insert into related_queue as q (video_id, is_urgent, views)
      select id, is_small, views from videos where id = any(changed) and is_listed order by id
      on conflict (video_id) do update set is_urgent = true where excluded.is_urgent and not q.is_urgent;
    end $$`.execute(db);
  await sql`
    create function relate_published() returns trigger language plpgsql as $$
    begin
      perform relate_again(array[new.id]);
      return null;
    end $$`.execute(db);
  await sql`
    create trigger relate_published after update on videos
      for each row when (new.is_listed and not old.is_listed)
      execute function relate_published()`.execute(db);
}

async function writeDocuments(db: Kysely<unknown>): Promise<void> {
  const names = (table: string, join: string, column: string) => sql`
    (select string_agg(l.name_folded, ' ' order by j.position, l.id)
      from ${sql.table(join)} j join ${sql.table(table)} l on l.id = j.${sql.id(column)}
      where j.video_id = v.id)`;
  const translated = (field: string, maxLength: number) => sql`
    (select string_agg(fold(left(t.value->>${sql.lit(field)}, ${sql.lit(maxLength)})), ' ' order by t.key)
      from jsonb_each(v.translations) t)`;
  await sql`
    create function write_search_documents(ids uuid[]) returns void language plpgsql as $$
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
  // Changed titles and labels also make other videos alike. A change of very many videos (a renamed
  // label, an import) doesn't wait for their documents.
  await sql`
    create function refresh_search(ids uuid[]) returns void language plpgsql as $$
    begin
      perform relate_again(ids);
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

/**
 * Labels, range scores and search follow a video's publication and words, once per statement rather
 * than once per row: publishing a hundred videos writes to each of these tables once.
 */
async function followVideos(db: Kysely<unknown>): Promise<void> {
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
  const relisted = labels.map(
    ({ join }) => sql`
        update ${sql.table(join)} j set listed_at = listed_at(n.is_listed, n.published_at)
        from new_rows n where n.id = j.video_id and j.video_id = any(relisted);`,
  );
  await sql`
    create function follow_changed_videos() returns trigger language plpgsql as $$
    declare
      relisted uuid[];
      flipped uuid[];
      reworded uuid[];
    begin
      select
        array_agg(n.id) filter (where listed_at(n.is_listed, n.published_at)
          is distinct from listed_at(o.is_listed, o.published_at)),
        array_agg(n.id) filter (where n.is_listed is distinct from o.is_listed),
        array_agg(n.id) filter (where (n.title, n.description)
          is distinct from (o.title, o.description))
      into relisted, flipped, reworded
      from new_rows n join old_rows o on o.id = n.id;
      if relisted is not null then
        ${sql.join(relisted, sql` `)}
      end if;
      if flipped is not null then
        update video_range_scores s set is_listed = n.is_listed
        from new_rows n where n.id = s.video_id and s.video_id = any(flipped);
        -- A document that is still to be written gets the value of that moment.
        update video_search s set is_listed = n.is_listed
        from new_rows n where n.id = s.video_id and s.video_id = any(flipped);
      end if;
      if reworded is not null then
        perform refresh_search(reworded);
      end if;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger follow_changed_videos after update on videos
      referencing old table as old_rows new table as new_rows for each statement
      execute function follow_changed_videos()`.execute(db);
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
  await sql`
    create function follow_document_words() returns trigger language plpgsql as $$
    begin
      insert into document_words
      select distinct lexeme from written, unnest(tsvector_to_array(written.words)) as lexeme
      where not exists (select from document_words d where d.word = lexeme)
      order by 1
      on conflict do nothing;
      return null;
    end $$`.execute(db);
  for (const change of ["insert", "update"]) {
    await sql`
      create trigger ${sql.id(`follow_document_words_on_${change}`)} after ${sql.raw(change)}
      on video_search referencing new table as written for each statement
      execute function follow_document_words()`.execute(db);
  }
}

/** Documents follow when a video gets or loses a label, and when a label gets another name. */
async function followLabels(
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
