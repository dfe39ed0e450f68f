import type { KeyObject } from "node:crypto";
import type { ReportMail, ReportMailInput } from "../../contract/report-mails.ts";
import type { Db } from "#server/db/connection.ts";
import type { Actor } from "#server/lib/actor.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import { equalBytes, hmacSha256, isUuid, newId } from "#server/lib/ids.ts";
import type { Mailer } from "#server/lib/mailer.ts";
import { recordAudit } from "#server/features/audit/audit.service.ts";
import * as repository from "./report-mails.repository.ts";

/** Management of report mails. */
export interface ReportMailsService {
  list(): Promise<{ sendsMail: boolean; mails: ReportMail[] }>;
  /** @throws AppError conflict if the site sends no mail; invalid. */
  add(input: ReportMailInput, actor: Actor): Promise<ReportMail>;
  /** @throws AppError not_found. */
  remove(id: string, actor: Actor): Promise<void>;
  /** Unsubscribes a recipient. @throws AppError not_found for a forged or used key. */
  endFor(key: string): Promise<{ email: string; name: string | null }>;
  /** Returns the key that only unsubscribes one recipient. */
  keyOf(recipientId: string): string;
}

export function createReportMailsService(deps: {
  db: Db;
  clock: Clock;
  secret: KeyObject;
  mailer: Pick<Mailer, "isConfigured">;
}): ReportMailsService {
  const { db, clock, secret, mailer } = deps;
  const signatureOf = (recipientId: string) => hmacSha256(secret, `report-mail/${recipientId}`);
  const present = ({ createdAt: _createdAt, ...mail }: repository.StoredReportMail) => mail;

  return {
    async list() {
      const mails = (await repository.listReportMails(db)).map(present);
      return { sendsMail: mailer.isConfigured, mails };
    },

    async add(input, actor) {
      if (!mailer.isConfigured) {
        throw new AppError("conflict", "This site can't send email. Set SMTP_URL and MAIL_FROM.");
      }
      const path = input.advertiserId == null ? "campaignId" : "advertiserId";
      const refuse = (message: string) =>
        new AppError("invalid", message, { issues: [{ path, message }] });
      if (input.advertiserId != null && input.campaignId != null) {
        throw refuse("Choose an advertiser or a campaign for the report.");
      }
      return db.transaction().execute(async (trx) => {
        if (!(await repository.lockSubject(trx, input))) throw refuse("It no longer exists.");
        const id = newId();
        await repository.insertReportMail(trx, id, input, clock.date());
        const added = await repository.findReportMail(trx, id);
        if (added === null) throw new Error("A new report is not there");
        const mail = present(added);
        await recordAudit(trx, actor, {
          action: "report-mail.created",
          entity: "report-mail",
          entityId: id,
          after: mail,
        });
        return mail;
      });
    },

    async remove(id, actor) {
      await db.transaction().execute(async (trx) => {
        const stored = isUuid(id) ? await repository.findReportMail(trx, id) : null;
        if (stored === null) throw new AppError("not_found", "Report not found");
        await repository.deleteReportMail(trx, id);
        await recordAudit(trx, actor, {
          action: "report-mail.deleted",
          entity: "report-mail",
          entityId: id,
          before: present(stored),
        });
      });
    },

    async endFor(key) {
      const [id = "", signature = ""] = key.split(".");
      const gone = new AppError("not_found", "This link is no longer valid.");
      if (!isUuid(id)) throw gone;
      if (!equalBytes(Buffer.from(signature, "base64url"), signatureOf(id))) throw gone;
      return db.transaction().execute(async (trx) => {
        const recipient = await repository.deleteRecipient(trx, id);
        if (recipient === null) throw gone;
        const mail = await repository.findReportMail(trx, recipient.reportMailId);
        return { email: recipient.email, name: mail?.name ?? null };
      });
    },

    keyOf: (recipientId) => `${recipientId}.${signatureOf(recipientId).toString("base64url")}`,
  };
}
