import { sql, type Kysely } from "kysely";

/** Passes of members, their devices, and whether premium videos are for members only. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table settings
      add column premium_access text not null default 'badge'
        check (premium_access in ('badge', 'members')),
      add column members_text text,
      add column members_url text,
      add column members_in_feed boolean not null default false`.execute(db);
  await sql`
    create table passes (
      id uuid primary key,
      code_hash bytea not null unique,
      sealed_code bytea not null,
      note text,
      email text,
      reference text unique,
      terms jsonb not null,
      valid_until timestamptz not null,
      max_devices integer not null check (max_devices between 1 and 10),
      revoked_at timestamptz,
      ended_at timestamptz,
      last_used_at timestamptz,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index passes_created_idx on passes (created_at desc, id desc)`.execute(db);
  await sql`create index passes_ending_idx on passes (valid_until) where ended_at is null`.execute(
    db,
  );
  await sql`
    create table pass_devices (
      id uuid primary key,
      pass_id uuid not null references passes (id) on delete cascade,
      token_hash bytea not null unique,
      name text not null,
      created_at timestamptz not null default now(),
      last_used_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index pass_devices_pass_idx on pass_devices (pass_id, last_used_at)`.execute(db);
}
