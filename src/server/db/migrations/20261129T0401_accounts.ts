import { sql, type Kysely } from "kysely";

/** Users of the back office, their means to sign in, and the site's secrets. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table users (
      id uuid primary key,
      email text not null check (length(email) between 3 and 254),
      name text not null default '',
      role text not null check (role in ('ADMIN', 'EDITOR', 'MODERATOR', 'ANALYST', 'USER')),
      password_hash text not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      is_owner boolean not null default false,
      disabled_at timestamptz,
      last_seen_at timestamptz,
      reset_sent_at timestamptz,
      reset_expires_at timestamptz,
      constraint users_owner_check check (not is_owner or role = 'ADMIN')
    );
    create unique index users_email_key on users (lower(email));

    create table sessions (
      token_hash bytea primary key check (length(token_hash) = 32),
      user_id uuid not null references users (id) on delete cascade,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      id uuid not null default gen_random_uuid() unique,
      user_agent text not null default '',
      last_seen_at timestamptz not null default now(),
      confirmed_at timestamptz not null default now()
    );
    create index sessions_expiry_idx on sessions (expires_at);
    create index sessions_user_idx on sessions (user_id);

    create table invitations (
      id uuid primary key,
      email text not null check (length(email) between 3 and 254),
      role text not null check (role in ('ADMIN', 'EDITOR', 'MODERATOR', 'ANALYST')),
      is_owner boolean not null default false,
      token_hash bytea not null unique check (length(token_hash) = 32),
      invited_by uuid references users (id) on delete cascade,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      check (not is_owner or role = 'ADMIN')
    );
    create unique index invitations_email_key on invitations (lower(email));

    create table setup_token (
      id int primary key default 1 check (id = 1),
      token_hash bytea not null check (length(token_hash) = 32),
      expires_at timestamptz not null
    );

    create table api_tokens (
      id uuid primary key,
      user_id uuid not null references users (id) on delete cascade,
      name text not null check (length(name) between 1 and 100),
      token_hash bytea not null unique check (length(token_hash) = 32),
      scopes text[] not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      last_used_at timestamptz
    );
    create index api_tokens_user_idx on api_tokens (user_id)`.execute(db);
  // Second factors.
  await sql`
    create table user_totp (
      user_id uuid primary key references users (id) on delete cascade,
      secret bytea check (length(secret) = 20),
      last_step bigint not null default 0,
      is_active boolean not null default false,
      sealed bytea,
      constraint totp_has_secret check (secret is not null or sealed is not null)
    );

    create table recovery_codes (
      user_id uuid not null references users (id) on delete cascade,
      code_hash bytea not null check (length(code_hash) = 32),
      primary key (user_id, code_hash)
    );

    create table passkeys (
      id text primary key check (length(id) <= 1400),
      user_id uuid not null references users (id) on delete cascade,
      name text not null check (length(name) <= 100),
      public_key bytea not null,
      counter bigint not null,
      transports text[] not null,
      created_at timestamptz not null default now(),
      last_used_at timestamptz
    );
    create index passkeys_user_idx on passkeys (user_id);

    create table used_challenges (
      hash bytea primary key check (length(hash) = 32),
      expires_at timestamptz not null
    );

    create table sign_in_failures (
      key bytea primary key,
      failures int not null check (failures >= 0),
      blocked_until timestamptz not null,
      updated_at timestamptz not null default now(),
      account_key bytea
    );
    create index sign_in_failures_account_idx on sign_in_failures (account_key)
      where account_key is not null;

    create table secrets (
      name text primary key,
      value bytea not null,
      created_at timestamptz not null default now()
    )`.execute(db);

  // Triggers, because deleting a user also ends sessions, whichever program does it.
  await sql`
    create function notify_ended_sessions() returns trigger language plpgsql as $$
    begin
      perform pg_notify('kinora_changed', 'sessions');
      return null;
    end $$`.execute(db);
  await sql`
    create trigger sessions_ended after delete on sessions
      for each row execute function notify_ended_sessions()`.execute(db);
  await sql`
    create trigger users_role_changed after update of role, is_owner, disabled_at on users
      for each row when ((old.role, old.is_owner, old.disabled_at)
        is distinct from (new.role, new.is_owner, new.disabled_at))
      execute function notify_ended_sessions()`.execute(db);
}
