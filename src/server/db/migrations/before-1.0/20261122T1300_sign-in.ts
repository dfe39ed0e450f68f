import { sql, type Kysely } from "kysely";

/** Counters by account, events of ended sessions, and the contact for security reports. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The account of a counter, so that one statement clears all counters of an account.
  await sql`alter table sign_in_failures add column account_key bytea`.execute(db);
  await sql`
    create index sign_in_failures_account_idx on sign_in_failures (account_key)
      where account_key is not null`.execute(db);

  // Triggers, because sessions also end by the removal of their user, in whatever program.
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
    create trigger users_role_changed after update of role on users
      for each row when (old.role is distinct from new.role)
      execute function notify_ended_sessions()`.execute(db);

  await sql`alter table settings add column security_contact text`.execute(db);
}
