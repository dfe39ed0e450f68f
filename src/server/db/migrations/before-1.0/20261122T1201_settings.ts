import { sql, type Kysely } from "kysely";

/** One row of site settings, with the site's own pages and the default mid-roll times. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table settings (
      id int primary key default 1 check (id = 1),
      site_name text,
      site_description text,
      site_url text,
      logo_url text,
      favicon_url text,
      filter_categories text[] not null default '{African,Ebony,Teen}',
      browse_listings boolean not null default true,
      midroll_times double precision[],
      terms_markdown text,
      privacy_markdown text,
      contact_markdown text,
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`insert into settings (id) values (1)`.execute(db);
}
