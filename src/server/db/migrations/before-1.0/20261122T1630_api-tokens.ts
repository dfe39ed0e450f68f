import { sql, type Kysely } from "kysely";

/** Tokens for programs that act for a user. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table api_tokens (
      id uuid primary key,
      user_id uuid not null references users (id) on delete cascade,
      name text not null check (length(name) between 1 and 100),
      token_hash bytea not null unique check (length(token_hash) = 32),
      scopes text[] not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      last_used_at timestamptz
    )`.execute(db);
  await sql`create index api_tokens_user_idx on api_tokens (user_id)`.execute(db);
}
