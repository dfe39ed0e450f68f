import { sql, type Kysely } from "kysely";

/** The address that account mails and passkeys use, and when the last reset link was sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table settings add column confirmed_url text`.execute(db);
  // Existing installations were set up before the address was stored.
  await sql`
    update settings set confirmed_url = substring(site_url from '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]+')
    where exists (select from users where is_owner)`.execute(db);
  await sql`
    alter table users
      add column reset_sent_at timestamptz,
      add column reset_expires_at timestamptz`.execute(db);
  // Mails about a change are composed from the audit entries of its request.
  await sql`create index audit_log_request_idx on audit_log (request_id)`.execute(db);
}
