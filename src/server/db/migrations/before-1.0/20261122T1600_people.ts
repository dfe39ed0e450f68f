import { sql, type Kysely } from "kysely";

/** Roles beside the administrator, the owner, invitations, and sessions that their user can tell apart. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users drop constraint users_role_check`.execute(db);
  await sql`
    alter table users
      add constraint users_role_check
        check (role in ('ADMIN', 'EDITOR', 'MODERATOR', 'ANALYST', 'USER')),
      add column is_owner boolean not null default false,
      add column disabled_at timestamptz,
      add column last_seen_at timestamptz,
      add constraint users_owner_check check (not is_owner or role = 'ADMIN')`.execute(db);
  // The first administrator has owned the site so far.
  await sql`
    update users set is_owner = true
    where id = (select id from users where role = 'ADMIN' order by created_at, id limit 1)`.execute(
    db,
  );
  await sql`drop trigger users_role_changed on users`.execute(db);
  await sql`
    create trigger users_role_changed after update of role, is_owner, disabled_at on users
      for each row when ((old.role, old.is_owner, old.disabled_at)
        is distinct from (new.role, new.is_owner, new.disabled_at))
      execute function notify_ended_sessions()`.execute(db);

  await sql`
    alter table sessions
      add column id uuid not null default gen_random_uuid() unique,
      add column user_agent text not null default '',
      add column last_seen_at timestamptz not null default now()`.execute(db);

  // At most one open invitation for an address; a new one replaces it.
  await sql`
    create table invitations (
      id uuid primary key,
      email text not null check (length(email) between 3 and 254),
      role text not null check (role in ('ADMIN', 'EDITOR', 'MODERATOR', 'ANALYST')),
      is_owner boolean not null default false check (not is_owner or role = 'ADMIN'),
      token_hash bytea not null unique check (length(token_hash) = 32),
      invited_by uuid references users (id) on delete cascade,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create unique index invitations_email_key on invitations (lower(email))`.execute(db);
}
