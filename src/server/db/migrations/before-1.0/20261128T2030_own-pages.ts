import { sql, type Kysely } from "kysely";

/** Pages that operators write beside terms, privacy and contact, and three more design tokens. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table own_pages (
      id uuid primary key,
      address text not null unique,
      place text not null,
      is_published boolean not null,
      is_indexed boolean not null,
      position int not null,
      -- Title and Markdown by language.
      texts jsonb not null,
      version int not null default 1,
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`
    alter table settings
      add column ground_color text,
      add column corner_radius text not null default 'medium',
      add column font text not null default 'inter'`.execute(db);
}
