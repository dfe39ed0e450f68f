import { sql } from "kysely";
import type { ReportMail, ReportMailInput } from "../../contract/report-mails.ts";
import type { ReportMailSendsTable } from "#server/db/ads-schema.ts";
import type { DbOrTrx } from "#server/db/connection.ts";
import { newId } from "#server/lib/ids.ts";

/** Report mail with its recipients. */
export type StoredReportMail = ReportMail & { createdAt: Date };

const columns = sql`
  m.id, m.advertiser_id as "advertiserId", m.campaign_id as "campaignId", m.rhythm,
  m.created_at as "createdAt", coalesce(v.name, c.name) as name,
  array(select r.email from report_mail_recipients r where r.report_mail_id = m.id
    order by lower(r.email)) as recipients,
  (select jsonb_build_object(
      'periodStart', to_char(s.period_start, 'YYYY-MM-DD'),
      'sent', count(*) filter (where s.state = 'sent'),
      'waiting', count(*) filter (where s.state in ('waiting', 'sending')),
      'failed', count(*) filter (where s.state in ('refused', 'unknown')))
    from report_mail_sends s join report_mail_recipients r on r.id = s.recipient_id
    where r.report_mail_id = m.id
    group by s.period_start order by s.period_start desc limit 1) as last`;
const tables = sql`
  report_mails m left join advertisers v on v.id = m.advertiser_id
  left join campaigns c on c.id = m.campaign_id`;

/** Returns report mails, oldest first. */
export async function listReportMails(db: DbOrTrx): Promise<StoredReportMail[]> {
  const { rows } = await sql<StoredReportMail>`
    select ${columns} from ${tables} order by m.created_at, m.id`.execute(db);
  return rows;
}

export async function findReportMail(db: DbOrTrx, id: string): Promise<StoredReportMail | null> {
  const { rows } = await sql<StoredReportMail>`
    select ${columns} from ${tables} where m.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/**
 * Returns whether the report's subject exists, and prevents its deletion until the transaction
 * ends.
 */
export async function lockSubject(
  trx: DbOrTrx,
  { advertiserId, campaignId }: Pick<ReportMailInput, "advertiserId" | "campaignId">,
): Promise<boolean> {
  if (advertiserId == null && campaignId == null) return true;
  const table = advertiserId == null ? "campaigns" : "advertisers";
  const { rows } = await sql`
    select from ${sql.table(table)} where id = ${advertiserId ?? campaignId}
    for key share`.execute(trx);
  return rows.length > 0;
}

export async function insertReportMail(
  trx: DbOrTrx,
  id: string,
  input: ReportMailInput,
  createdAt: Date,
): Promise<void> {
  await trx
    .insertInto("report_mails")
    .values({
      id,
      advertiser_id: input.advertiserId ?? null,
      campaign_id: input.campaignId ?? null,
      rhythm: input.rhythm,
      created_at: createdAt,
    })
    .execute();
  const emails = new Map(input.recipients.map((email) => [email.toLowerCase(), email]));
  await trx
    .insertInto("report_mail_recipients")
    .values([...emails.values()].map((email) => ({ id: newId(), report_mail_id: id, email })))
    .execute();
}

export async function deleteReportMail(trx: DbOrTrx, id: string): Promise<void> {
  await trx.deleteFrom("report_mails").where("id", "=", id).execute();
}

interface RecipientRow {
  id: string;
  email: string;
}

/** Returns recipients who haven't received this period's report. */
export async function listWaiting(
  db: DbOrTrx,
  reportMailId: string,
  period: string,
  triedBefore: Date,
): Promise<RecipientRow[]> {
  const { rows } = await sql<RecipientRow>`
    select r.id, r.email from report_mail_recipients r
    left join report_mail_sends s on s.recipient_id = r.id and s.period_start = ${period}::date
    where r.report_mail_id = ${reportMailId}
      and (s.recipient_id is null or (s.state = 'waiting' and s.changed_at <= ${triedBefore}))
    order by lower(r.email)`.execute(db);
  return rows;
}

/**
 * Claims a mail for sending, so that no other process sends it.
 * @returns the number of this attempt; null if another process has claimed it, or no recipient is
 * waiting.
 */
export async function claimSend(
  db: DbOrTrx,
  recipientId: string,
  period: string,
  now: Date,
): Promise<number | null> {
  const { rows } = await sql<{ tries: number }>`
    insert into report_mail_sends as s (recipient_id, period_start, state, changed_at)
    select id, ${period}::date, 'sending', ${now} from report_mail_recipients
    where id = ${recipientId}
    on conflict (recipient_id, period_start) do update
      set state = 'sending', tries = s.tries + 1, changed_at = ${now}
      where s.state = 'waiting'
    returning tries`.execute(db);
  return rows[0]?.tries ?? null;
}

export async function settleSend(
  db: DbOrTrx,
  recipientId: string,
  period: string,
  state: ReportMailSendsTable["state"],
  now: Date,
): Promise<void> {
  await db
    .updateTable("report_mail_sends")
    .set({ state, changed_at: now })
    .where("recipient_id", "=", recipientId)
    .where("period_start", "=", period)
    .execute();
}

/** Deletes a recipient with its sending history. Returns null for an unknown one. */
export async function deleteRecipient(
  trx: DbOrTrx,
  id: string,
): Promise<{ email: string; reportMailId: string } | null> {
  const row = await trx
    .deleteFrom("report_mail_recipients")
    .where("id", "=", id)
    .returning(["email", "report_mail_id as reportMailId"])
    .executeTakeFirst();
  return row ?? null;
}
