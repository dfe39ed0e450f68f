import { z } from "zod";
import type { Language } from "#contract/site/languages.ts";
import { limits } from "#contract/limits.ts";
import type { Db, Trx } from "#server/db/connection.ts";
import {
  defineJob,
  type AnyJobDefinition,
  type JobName,
  type JobQueue,
} from "#server/jobs/queue.ts";
import type { Clock } from "#server/lib/clock.ts";
import { newToken, sha256 } from "#server/lib/ids.ts";
import type { Logger } from "#server/lib/logger.ts";
import { isUnsent, mayBeDelivered, type Mailer } from "#server/lib/mailer.ts";
import { visitorTexts } from "#server/lib/visitor-texts.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import * as repository from "./report-senders.repository.ts";
import { findReport } from "./reports.repository.ts";

const askSender = "moderation.ask-sender";
const hourMs = 3600 * 1000;
/** Maximum number of unconfirmed addresses mailed per hour: of the whole site, for one requester. */
const maxAskedPerHour = 60;
const maxPerRequester = 2;
/** Maximum delay of a mail when more are wanted. Later ones are dropped. */
const maxDelayHours = 24;

interface SenderDeps {
  db: Db;
  clock: Clock;
  mailer: Mailer;
  queue: JobQueue;
}

/**
 * Confirmed addresses of people who report videos. Visitors can type someone else's address. So
 * each address first gets a single mail that asks to confirm it, and learns of no decisions until
 * then.
 */
export function createReportSendersService(deps: SenderDeps) {
  const { db, clock, mailer, queue } = deps;
  return {
    /**
     * Queues the mail with the link unless the mailbox was already mailed. Above the limits of an
     * hour, it is sent in a later one.
     * @param requester keyed hash of the network that filed the report.
     */
    async ask(
      trx: Trx,
      email: string,
      requester: string,
      language: Language | null,
    ): Promise<void> {
      if (!mailer.isConfigured) return;
      await repository.lockSenders(trx);
      const since = new Date(clock.now() - hourMs);
      const { ofSite, ofRequester } = await repository.countAskedSince(trx, since, requester);
      const delayHours = Math.max(
        Math.floor(ofSite / maxAskedPerHour),
        Math.floor(ofRequester / maxPerRequester),
      );
      if (delayHours > maxDelayHours) return;
      const token = newToken();
      const askedAt = new Date(clock.now() + delayHours * hourMs);
      const sender = { email, requester, tokenHash: sha256(token), askedAt };
      if (!(await repository.insertSender(trx, sender))) return;
      const options = {
        key: email.toLowerCase(),
        ...(delayHours === 0 ? {} : { startAfterS: (delayHours * hourMs) / 1000 }),
      };
      const payload = { email, token, language, askedAtMs: askedAt.getTime() };
      await queue.enqueue(trx, askSender, payload, options);
    },

    /**
     * Also queues the mails about reports that were resolved before.
     * @returns false if no address has this token.
     */
    async confirm(token: string): Promise<boolean> {
      return db.transaction().execute(async (trx) => {
        const sender = await repository.confirmSender(trx, sha256(token), clock.date());
        if (sender === null) return false;
        if (sender.wasConfirmed) return true;
        const reports = await repository.listResolvedReports(trx, sender.email);
        // The reports of one decision have the same time.
        const decisions = Map.groupBy(reports, ({ resolvedAt }) => resolvedAt?.getTime());
        for (const rows of decisions.values()) await queueDecisionMails(trx, rows, deps);
        return true;
      });
    },
  };
}

export type ReportSendersService = ReturnType<typeof createReportSendersService>;

/** Time for which an unreachable mail server is retried. */
const triesMs = 24 * 3600 * 1000;
const retryAfterS = 600;

/** Queues a job again. Its key differs, because the running job still holds its key. */
const retryLater = (
  { db, queue, clock }: Pick<SenderDeps, "db" | "queue" | "clock">,
  name: JobName,
  subject: string,
  payload: object,
): Promise<void> =>
  queue.enqueue(db, name, payload, {
    key: `${subject}/${clock.now()}`,
    startAfterS: retryAfterS,
  });

/**
 * Sends the mail with the link. Retries only what the mail server can't have accepted, because a
 * second mail could be unwanted.
 */
export function createAskSenderJob(
  deps: SenderDeps & { logger: Logger; settings: SettingsService },
): AnyJobDefinition {
  const { db, clock, mailer, logger, settings } = deps;
  return defineJob({
    name: askSender,
    payload: z.object({
      email: z.string(),
      token: z.string(),
      language: z.custom<Language>((value) => typeof value === "string").nullable(),
      askedAtMs: z.number().default(0),
    }),
    concurrency: 1,
    async run(payload) {
      const { email, token, language, askedAtMs } = payload;
      const { siteName, language: siteLanguage } = await settings.getPublic();
      const site = siteName ?? limits.defaultSiteName;
      const texts = visitorTexts(language ?? siteLanguage).reportMail;
      const url = `${await settings.siteUrl()}/report-senders?token=${token}`;
      const text = `${texts.ask(site)}\n\n${url}\n\n${texts.ignore}\n`;
      try {
        await mailer.send({ to: email, subject: texts.subject(site), text });
      } catch (error) {
        if (isUnsent(error) && clock.now() - askedAtMs <= triesMs) {
          await retryLater(deps, askSender, email.toLowerCase(), payload);
          return;
        }
        logger.warn({ err: error }, "couldn't ask the sender of a report");
        // Lets the next report with this address ask again.
        if (!mayBeDelivered(error)) await repository.forgetUnconfirmed(db, sha256(token));
      }
    },
  });
}

const tellSender = "moderation.tell-sender";
/** Maximum number of further references in one mail to someone who sent several reports. */
const maxReferences = 19;

/** Queues one mail per sender about the decision on these reports. */
export async function queueDecisionMails(
  trx: Trx,
  reports: readonly { id: string; email: string | null }[],
  { queue, mailer, clock }: Pick<SenderDeps, "queue" | "mailer" | "clock">,
): Promise<void> {
  if (!mailer.isConfigured) return;
  const bySender = Map.groupBy(reports, ({ email }) => email?.toLowerCase() ?? null);
  for (const [email, [first, ...others]] of bySender) {
    if (email === null || first === undefined) continue;
    const otherIds = others.map(({ id }) => id).slice(0, maxReferences);
    const payload = { reportId: first.id, otherIds, askedAtMs: clock.now() };
    await queue.enqueue(trx, tellSender, payload, { key: first.id });
  }
}

/** Mails the outcome of reports to senders who confirmed their address. */
export function createSenderMailJob(deps: {
  db: Db;
  clock: Clock;
  logger: Logger;
  mailer: Mailer;
  queue: JobQueue;
  settings: SettingsService;
}): AnyJobDefinition {
  const { db, clock, logger, mailer, settings } = deps;
  return defineJob({
    name: tellSender,
    payload: z.object({
      reportId: z.uuid(),
      /** Other reports of the same sender resolved with this one. */
      otherIds: z.array(z.uuid()).default([]),
      askedAtMs: z.number(),
    }),
    concurrency: 1,
    async run({ reportId, otherIds, askedAtMs }) {
      const report = await findReport(db, reportId);
      if (report?.email == null || report.outcome === null || !mailer.isConfigured) return;
      if (!(await repository.isSenderConfirmed(db, report.email))) return;
      const { siteName, language } = await settings.getPublic();
      const texts = visitorTexts(report.language ?? language).reportMail;
      const subject = texts.subject(siteName ?? limits.defaultSiteName);
      const isComment = report.kind === "comment";
      const day = report.createdAt.toISOString().slice(0, 10);
      const commentDecisions = { dismissed: texts.commentDismissed, removed: texts.commentRemoved };
      const decisions = isComment ? { ...texts, ...commentDecisions } : texts;
      const text = `${(isComment ? texts.comment : texts.video)(report.videoTitle, day)}

${decisions[report.outcome]}

${texts.reference([report.id, ...otherIds].join(", "))}
`;
      try {
        await mailer.send({ to: report.email, subject, text });
      } catch (error) {
        if (clock.now() - askedAtMs > triesMs) {
          logger.warn({ err: error, reportId }, "couldn't notify the sender of a report");
          return;
        }
        await retryLater(deps, tellSender, reportId, { reportId, otherIds, askedAtMs });
      }
    },
  });
}
