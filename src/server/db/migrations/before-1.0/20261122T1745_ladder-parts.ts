import { sql, type Kysely } from "kysely";

/**
 * Which processes run jobs, and the parts of ladders that several of them make. Unlogged: after a crash
 * of the database workers report again, and ladders under way start over.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create unlogged table job_workers (
      id uuid primary key,
      lanes jsonb not null,
      seen_at timestamptz not null default now()
    )`.execute(db);
  await sql`
    create unlogged table ladder_parts (
      video_id uuid not null references videos (id) on delete cascade,
      number integer not null,
      folder text not null,
      sides integer[] not null,
      has_sound boolean not null,
      share real not null,
      progress real not null default 0,
      result jsonb,
      primary key (video_id, number)
    )`.execute(db);
}
