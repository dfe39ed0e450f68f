import { sql, type Kysely } from "kysely";

/** Mails that ask to confirm an address are limited by mailbox and by requester. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table report_senders add column mailbox text, add column requester text`.execute(
    db,
  );
  await sql`
    create index report_senders_mailbox_idx on report_senders (coalesce(mailbox, email))`.execute(
    db,
  );
}
