import { sql, type Kysely } from "kysely";

/**
 * Categories, tags and actors, and which videos have them.
 *
 * `listed_at` of a video's label is the publication time of a listed video and null otherwise: the
 * newest videos of a label are one walk of one index. `series_key` sorts the videos of a label that
 * is a series. New videos of a series get a greater key than all before. Labels that have never been
 * a series have no keys, so the index stays small.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create sequence series_keys`.execute(db);
  await sql`
    create function listed_at(is_listed boolean, published_at timestamptz)
    returns timestamptz language sql immutable parallel safe as $$
      select case when is_listed then published_at end
    $$`.execute(db);
  // Waits for a transaction that is publishing or unpublishing the video.
  await sql`
    create function set_listed_at() returns trigger language plpgsql as $$
    begin
      select listed_at(v.is_listed, v.published_at) into new.listed_at
      from videos v where v.id = new.video_id for share;
      return new;
    end $$`.execute(db);
  await addLabels(db, "categories", "video_categories", "category_id");
  await addLabels(db, "tags", "video_tags", "tag_id");
  await addLabels(db, "actors", "video_actors", "actor_id");
}

async function addLabels(db: Kysely<unknown>, kind: string, link: string, id: string) {
  const [table, join, column] = [sql.table(kind), sql.table(link), sql.id(id)];
  await sql`
    create table ${table} (
      id uuid primary key,
      name text not null check (length(name) between 1 and 80),
      slug text not null unique check (slug !~ '[!-,./:-@A-Z\\[-\`{-~[:space:]]|^-|--|-$|^$'),
      description text,
      image_key text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      name_folded text not null generated always as (fold(name)) stored,
      folded_name text,
      is_series boolean not null default false,
      is_podcast boolean not null default false
    );
    create unique index ${sql.id(`${kind}_name_key`)} on ${table} (lower(name));
    create index ${sql.id(`${kind}_folded_idx`)} on ${table} using gin (name_folded gin_trgm_ops);
    create index ${sql.id(`${kind}_folded_name_idx`)} on ${table} (folded_name);

    create table ${join} (
      video_id uuid not null references videos (id) on delete cascade,
      ${column} uuid not null references ${table} (id) on delete cascade,
      position int not null default 0,
      listed_at timestamptz,
      series_key double precision,
      primary key (video_id, ${column})
    );
    create index ${sql.id(`${link}_reverse_idx`)} on ${join} (${column}, video_id);
    create index ${sql.id(`${link}_listed_idx`)} on ${join} (${column}, listed_at desc, video_id desc)
      where listed_at is not null;
    create index ${sql.id(`${link}_series_idx`)} on ${join} (${column}, series_key, video_id)
      where series_key is not null;
    create trigger set_listed_at before insert or update of video_id, ${column}
      on ${join} for each row execute function set_listed_at()`.execute(db);
  // The lock waits for a change that turns the label into a series, and returns the new value. The
  // foreign key takes the same lock anyway. A video from the trash brings its key along.
  const setKey = sql.id(`set_series_key_of_${kind}`);
  await sql`
    create function ${setKey}() returns trigger language plpgsql as $$
      declare
        ordered boolean;
      begin
        if new.series_key is null then
          select is_series into ordered
          from ${table} where id = new.${column} for key share;
          if ordered then new.series_key = nextval('series_keys'); end if;
        end if;
        return new;
      end $$`.execute(db);
  await sql`
    create trigger set_series_key before insert on ${join}
      for each row execute function ${setKey}()`.execute(db);
}
