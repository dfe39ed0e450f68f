import { z } from "zod";
import { limits } from "#contract/limits.ts";
import type { Db } from "#server/db/connection.ts";
import { defineJob, type AnyJobDefinition } from "#server/jobs/job-definition.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { Mailer } from "#server/lib/mailer.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import { visitorTexts } from "#server/lib/visitor-texts.ts";
import { isSenderConfirmed } from "./report-senders.repository.ts";
import { findReport } from "./reports.repository.ts";

const tellSender = "moderation.tell-sender";
/** Time for which an unreachable mail server is retried. */
const triesMs = 24 * 3600 * 1000;
const retryAfterS = 600;

/** Mails the outcome of reports to senders who confirmed their address. */
export function createSenderMailJob(deps: {
  db: Db;
  clock: Clock;
  logger: Logger;
  mailer: Mailer;
  queue: JobQueue;
  settings: SettingsService;
}): AnyJobDefinition {
  const { db, clock, logger, mailer, queue, settings } = deps;
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
      if (!(await isSenderConfirmed(db, report.email))) return;
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
        // Uses a different key, because this job still holds its own.
        const key = `${reportId}/${clock.now()}`;
        await queue.enqueue(
          db,
          tellSender,
          { reportId, otherIds, askedAtMs },
          { key, startAfterS: retryAfterS },
        );
      }
    },
  });
}
