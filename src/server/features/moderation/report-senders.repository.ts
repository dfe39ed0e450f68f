import { sql } from "kysely";
import type { DbOrTrx, Trx } from "#server/db/connection.ts";
import { sha256 } from "#server/lib/ids.ts";

/** Rows of older versions have no mailbox. */
const isMailbox = (mailbox: string) => sql<boolean>`coalesce(mailbox, email) = ${mailbox}`;

/** Makes transactions that send confirmations wait for each other, so that their limit holds. */
export async function lockSenders(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('report senders', 0))`.execute(trx);
}

/**
 * Returns the mailbox of an address in lower case: without a part after a plus sign, and for Gmail
 * without dots.
 */
function mailboxOf(email: string): string {
  const [, name = "", host = ""] = /^([^+]*).*@([^@]*)$/.exec(email.toLowerCase()) ?? [];
  const isGmail = /^(gmail|googlemail)\.com$/.test(host);
  return isGmail ? `${name.replaceAll(".", "")}@gmail.com` : `${name}@${host}`;
}

/** Counts the mails since a time, also planned ones: of the whole site, and for one requester. */
export async function countAskedSince(
  trx: Trx,
  since: Date,
  requester: string,
): Promise<{ ofSite: number; ofRequester: number }> {
  return trx
    .selectFrom("report_senders")
    .select([
      sql<number>`count(*)::int`.as("ofSite"),
      sql<number>`count(*) filter (where requester = ${requester})::int`.as("ofRequester"),
    ])
    .where("confirmed_at", "is", null)
    .where("asked_at", ">", since)
    .executeTakeFirstOrThrow();
}

/** @returns false if the mailbox was already mailed or confirmed. */
export async function insertSender(
  trx: Trx,
  sender: { email: string; requester: string; tokenHash: Buffer; askedAt: Date },
): Promise<boolean> {
  const mailbox = mailboxOf(sender.email);
  const known = await trx
    .selectFrom("report_senders")
    .select("email")
    .where(isMailbox(mailbox))
    .executeTakeFirst();
  if (known !== undefined) return false;
  const row = await trx
    .insertInto("report_senders")
    .values({
      email: sender.email.toLowerCase(),
      mailbox,
      requester: sender.requester,
      token_hash: sender.tokenHash,
      asked_at: sender.askedAt,
      confirmed_at: null,
    })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returning("email")
    .executeTakeFirst();
  return row !== undefined;
}

export async function isSenderConfirmed(db: DbOrTrx, email: string): Promise<boolean> {
  const row = await db
    .selectFrom("report_senders")
    .select("confirmed_at")
    .where(isMailbox(mailboxOf(email)))
    .where("confirmed_at", "is not", null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes what is stored about an address unless a report contains it. */
export async function removeSender(trx: Trx, email: string): Promise<void> {
  await lockSenders(trx);
  await trx
    .deleteFrom("report_senders")
    .where(isMailbox(mailboxOf(email)))
    .where(
      sql<boolean>`not exists (select from reports r
        where lower(r.email) in (report_senders.email, ${email.toLowerCase()}))`,
    )
    .execute();
}

/**
 * Forgets an unconfirmed address and its link, so that it can be mailed again. The row still counts
 * towards the hourly limits.
 */
export async function forgetUnconfirmed(db: DbOrTrx, tokenHash: Buffer): Promise<void> {
  const hash = tokenHash.toString("hex");
  await db
    .updateTable("report_senders")
    .set({ email: hash, mailbox: null, token_hash: sha256(hash) })
    .where("token_hash", "=", tokenHash)
    .where("confirmed_at", "is", null)
    .execute();
}

/** @returns the sender that the token belongs to, as stored before, or null. */
export async function confirmSender(
  trx: Trx,
  tokenHash: Buffer,
  at: Date,
): Promise<{ email: string; wasConfirmed: boolean } | null> {
  const sender = await trx
    .selectFrom("report_senders")
    .select(["email", "confirmed_at"])
    .where("token_hash", "=", tokenHash)
    .forUpdate()
    .executeTakeFirst();
  if (sender === undefined) return null;
  const wasConfirmed = sender.confirmed_at !== null;
  if (!wasConfirmed) {
    await trx
      .updateTable("report_senders")
      .set({ confirmed_at: at })
      .where("email", "=", sender.email)
      .execute();
  }
  return { email: sender.email, wasConfirmed };
}

/** Returns a mailbox's resolved reports, oldest first. */
export async function listResolvedReports(
  trx: Trx,
  email: string,
): Promise<{ id: string; email: string | null; resolvedAt: Date | null }[]> {
  const mailbox = mailboxOf(email);
  const name = mailbox.replace(/@.*/, "").replaceAll(".", "");
  const rows = await trx
    .selectFrom("reports")
    .select(["id", "email", "resolved_at as resolvedAt"])
    .where("outcome", "is not", null)
    // Compares only the part before the host, without dots. `mailboxOf` compares the rest.
    .where(sql`split_part(split_part(replace(lower(email), '.', ''), '@', 1), '+', 1)`, "=", name)
    .orderBy("id")
    .execute();
  return rows.filter((row) => row.email !== null && mailboxOf(row.email) === mailbox);
}
