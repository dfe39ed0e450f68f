import { sql, type Kysely } from "kysely";

/**
 * Users, their sessions, and what protects signing in. Ids everywhere are UUIDv7 from the
 * application, so that any PostgreSQL from version 14 on works.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table users (
      id uuid primary key,
      email text not null check (length(email) between 3 and 254),
      name text not null default '',
      role text not null check (role in ('ADMIN', 'USER')),
      password_hash text not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`create unique index users_email_key on users (lower(email))`.execute(db);

  await sql`
    create table sessions (
      token_hash bytea primary key check (length(token_hash) = 32),
      user_id uuid not null references users (id) on delete cascade,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index sessions_user_idx on sessions (user_id)`.execute(db);
  await sql`create index sessions_expiry_idx on sessions (expires_at)`.execute(db);

  // At most one row: the one-time link that creates the first admin.
  await sql`
    create table setup_token (
      id int primary key default 1 check (id = 1),
      token_hash bytea not null check (length(token_hash) = 32),
      expires_at timestamptz not null
    )`.execute(db);

  // Keys are HMACs of an account or an address; no raw address is stored.
  await sql`
    create table sign_in_failures (
      key bytea primary key,
      failures int not null check (failures >= 0),
      blocked_until timestamptz not null,
      updated_at timestamptz not null default now()
    )`.execute(db);

  // Secrets created at the first start and shared by every process on this database.
  await sql`
    create table secrets (
      name text primary key,
      value bytea not null,
      created_at timestamptz not null default now()
    )`.execute(db);
}
