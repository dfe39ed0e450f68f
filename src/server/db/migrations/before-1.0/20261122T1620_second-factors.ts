import { sql, type Kysely } from "kysely";

/** Second factors: codes of an app, recovery codes and passkeys; and when a session gave the password. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sessions add column confirmed_at timestamptz not null default now()`.execute(db);
  await sql`
    alter table settings
      add column require_second_factor boolean not null default false`.execute(db);

  // `last_step` is the time step of the last code, so that no code works twice.
  await sql`
    create table user_totp (
      user_id uuid primary key references users (id) on delete cascade,
      secret bytea not null check (length(secret) = 20),
      last_step bigint not null default 0,
      is_active boolean not null default false
    )`.execute(db);
  await sql`
    create table recovery_codes (
      user_id uuid not null references users (id) on delete cascade,
      code_hash bytea not null check (length(code_hash) = 32),
      primary key (user_id, code_hash)
    )`.execute(db);
  await sql`
    create table passkeys (
      id text primary key check (length(id) <= 1400),
      user_id uuid not null references users (id) on delete cascade,
      name text not null check (length(name) <= 100),
      public_key bytea not null,
      counter bigint not null,
      transports text[] not null,
      created_at timestamptz not null default now(),
      last_used_at timestamptz
    )`.execute(db);
  await sql`create index passkeys_user_idx on passkeys (user_id)`.execute(db);
  // Challenges are signed and not stored; one that was used must not work again.
  await sql`
    create table used_challenges (
      hash bytea primary key check (length(hash) = 32),
      expires_at timestamptz not null
    )`.execute(db);
}
