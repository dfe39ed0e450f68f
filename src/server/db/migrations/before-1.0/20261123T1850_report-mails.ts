import { sql, type Kysely } from "kysely";

/** Reports of ads that are sent by mail, to whom, and what was sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table report_mails (
      id uuid primary key,
      -- Of one campaign or one advertiser; of the site where both are null.
      advertiser_id uuid references advertisers (id) on delete cascade,
      campaign_id uuid references campaigns (id) on delete cascade,
      rhythm text not null check (rhythm in ('day', 'week', 'month')),
      created_at timestamptz not null default now(),
      constraint report_mail_of_one_thing check (advertiser_id is null or campaign_id is null)
    )`.execute(db);
  await sql`
    create table report_mail_recipients (
      id uuid primary key,
      report_mail_id uuid not null references report_mails (id) on delete cascade,
      email text not null
    )`.execute(db);
  await sql`
    create unique index report_mail_recipients_idx
      on report_mail_recipients (report_mail_id, lower(email))`.execute(db);
  // One row for each recipient and period, written before the mail is: so that none is sent twice.
  await sql`
    create table report_mail_sends (
      recipient_id uuid not null references report_mail_recipients (id) on delete cascade,
      period_start date not null,
      state text not null check (state in ('sending', 'waiting', 'sent', 'refused', 'unknown')),
      tries int not null default 1,
      changed_at timestamptz not null,
      primary key (recipient_id, period_start)
    )`.execute(db);
}
