import { sql, type Kysely } from "kysely";

/** Files of rows on their way into the catalogue: checked first, then applied by a job. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table imports (
      id uuid primary key,
      kind text not null,
      file_name text not null,
      state text not null default 'draft' check (
        state in ('draft', 'checking', 'checked', 'running', 'done', 'cancelled', 'failed')),
      columns text[] not null,
      mapping jsonb not null,
      total integer not null default 0,
      done integer not null default 0,
      created integer not null default 0,
      updated integer not null default 0,
      unchanged integer not null default 0,
      problems integer not null default 0,
      failure_reason text,
      created_by uuid references users (id) on delete set null,
      created_by_email text not null,
      request_id text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`
    create table import_rows (
      import_id uuid not null references imports (id) on delete cascade,
      position integer not null,
      line integer not null,
      target_id uuid not null,
      cells text[] not null,
      outcome text check (outcome in ('created', 'updated', 'unchanged', 'problem')),
      problem text,
      is_applied boolean not null default false,
      primary key (import_id, position)
    )`.execute(db);
}
