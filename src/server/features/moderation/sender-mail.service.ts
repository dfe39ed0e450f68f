import { z } from "zod";
import { limits } from "../../../contract/limits.ts";
import type { ReportOutcome } from "../../../contract/reports.ts";
import type { Db } from "../../db/connection.ts";
import { defineJob, type AnyJobDefinition } from "../../jobs/job-definition.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Logger } from "../../lib/logger.ts";
import type { Mailer } from "../../lib/mailer.ts";
import type { SettingsService } from "../settings/settings.service.ts";
import { findReport } from "./reports.repository.ts";

const tellSender = "moderation.tell-sender";
/** A mail server that is away is tried again for this long. */
const triesMs = 24 * 3600 * 1000;
const retryAfterS = 600;

const commentDecisions: Partial<Record<ReportOutcome, string>> = {
  dismissed: "We looked at the comment and found no reason to remove it.",
  removed: "The comment is removed.",
};

const decisions: Record<ReportOutcome, string> = {
  dismissed: "We looked at the video and found no reason to remove it.",
  unpublished: "The video is no longer public.",
  removed: "The video is removed.",
  blocked: "The video is removed, and its file cannot be uploaded again.",
};

/** Tells senders of reports who gave an address how their report ended. */
export function createSenderMailJob(deps: {
  db: Db;
  clock: Clock;
  logger: Logger;
  mailer: Mailer;
  queue: Pick<JobQueue, "enqueue">;
  settings: Pick<SettingsService, "getPublic">;
}): AnyJobDefinition {
  const { db, clock, logger, mailer, queue, settings } = deps;
  return defineJob({
    name: tellSender,
    payload: z.object({ reportId: z.uuid(), askedAtMs: z.number() }),
    concurrency: 1,
    async run({ reportId, askedAtMs }) {
      const report = await findReport(db, reportId);
      if (report?.email == null || report.outcome === null || !mailer.isConfigured) return;
      const { siteName } = await settings.getPublic();
      const site = siteName ?? limits.defaultSiteName;
      const subject = `Your report to ${site}`;
      const text = `You reported ${report.kind === "comment" ? "a comment on " : ""}the video "${report.videoTitle}" on ${report.createdAt.toISOString().slice(0, 10)}.

${(report.kind === "comment" ? commentDecisions[report.outcome] : undefined) ?? decisions[report.outcome]}

Reference: ${report.id}
`;
      try {
        await mailer.send({ to: report.email, subject, text });
      } catch (error) {
        if (clock.now() - askedAtMs > triesMs) {
          logger.warn({ err: error, reportId }, "the sender of a report could not be told");
          return;
        }
        // Under another key: this job still holds its own.
        const key = `${reportId}/${clock.now()}`;
        await queue.enqueue(
          db,
          tellSender,
          { reportId, askedAtMs },
          { key, startAfterS: retryAfterS },
        );
      }
    },
  });
}
