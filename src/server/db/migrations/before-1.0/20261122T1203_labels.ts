import { sql, type Kysely } from "kysely";

/**
 * Categories, tags and actors, and which videos have them. `listed_at` of a video's label is the
 * publication time of a listed video and null otherwise: the newest videos of a label are one walk
 * of one index.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
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

  for (const [table, join, column] of [
    ["categories", "video_categories", "category_id"],
    ["tags", "video_tags", "tag_id"],
    ["actors", "video_actors", "actor_id"],
  ] as const) {
    await sql`
      create table ${sql.table(table)} (
        id uuid primary key,
        name text not null check (length(name) between 1 and 80),
        slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
        description text,
        image_key text,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      )`.execute(db);
    await sql`create unique index ${sql.id(`${table}_name_key`)} on ${sql.table(table)} (lower(name))`.execute(
      db,
    );
    await sql`
      create table ${sql.table(join)} (
        video_id uuid not null references videos (id) on delete cascade,
        ${sql.id(column)} uuid not null references ${sql.table(table)} (id) on delete cascade,
        position int not null default 0,
        listed_at timestamptz,
        primary key (video_id, ${sql.id(column)})
      )`.execute(db);
    await sql`create index ${sql.id(`${join}_reverse_idx`)} on ${sql.table(join)} (${sql.id(column)}, video_id)`.execute(
      db,
    );
    await sql`
      create index ${sql.id(`${join}_listed_idx`)}
        on ${sql.table(join)} (${sql.id(column)}, listed_at desc, video_id desc)
        where listed_at is not null`.execute(db);
    await sql`
      create trigger set_listed_at before insert or update of video_id, ${sql.id(column)}
        on ${sql.table(join)} for each row execute function set_listed_at()`.execute(db);
  }

  // Old addresses of videos and labels.
  await sql`
    create table slug_redirects (
      kind text not null check (kind in ('videos', 'categories', 'tags', 'actors')),
      slug text not null,
      target_id uuid not null,
      created_at timestamptz not null default now(),
      primary key (kind, slug)
    )`.execute(db);
}
