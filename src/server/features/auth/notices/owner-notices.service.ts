import { z } from "zod";
import type { Db } from "#server/db/connection.ts";
import { defineJob } from "#server/jobs/job-definition.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { Mailer } from "#server/lib/mailer.ts";
import { listAuditOfRequest } from "#server/features/audit/audit.service.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import type { FindAccountUrl } from "../account-url.ts";
import { changeNotice } from "../people/mail-texts.ts";
import { changeLine, formerOwnersIn } from "./change-lines.ts";
import { listOwnerEmails } from "./owner-notices.repository.ts";

const notifyOwners = "account.notify-owners";
const payload = z.object({ requestId: z.string(), to: z.string().nullable(), atMs: z.number() });
/** Time for which an unreachable mail server is retried. */
const triesMs = 60 * 60 * 1000;
const retryAfterS = 60;

/** Mails owners about changes that require a confirmation. */
export function createOwnerNotices(deps: {
  db: Db;
  clock: Clock;
  logger: Logger;
  mailer: Mailer;
  queue: JobQueue;
  settings: SettingsService;
  findAccountUrl: FindAccountUrl;
}) {
  const { db, clock, logger, mailer, queue, settings, findAccountUrl } = deps;

  async function send({ requestId, to, atMs }: z.infer<typeof payload>): Promise<void> {
    if (!mailer.isConfigured) return;
    const entries = await listAuditOfRequest(db, requestId);
    const lines = entries.flatMap((entry) => changeLine(entry) ?? []);
    const by = entries[0]?.userEmail;
    if (by === undefined || lines.length === 0) return;
    if (to === null) {
      // Queues one job per recipient, so that a retry doesn't mail the other recipients twice.
      const recipients = [...(await listOwnerEmails(db)), ...formerOwnersIn(entries)];
      for (const email of new Set(recipients)) {
        await queue.enqueue(db, notifyOwners, { requestId, to: email, atMs });
      }
      return;
    }
    const [{ siteName }, url] = await Promise.all([settings.getPublic(), findAccountUrl()]);
    try {
      await mailer.send({ to, ...changeNotice({ siteName, by, lines, url, at: new Date(atMs) }) });
    } catch (error) {
      if (clock.now() - atMs > triesMs) {
        logger.warn({ err: error }, "couldn't notify an owner of a change of accounts");
        return;
      }
      await queue.enqueue(db, notifyOwners, { requestId, to, atMs }, { startAfterS: retryAfterS });
    }
  }

  return {
    /** Queues a mail about the request's changes, as recorded in the audit log. */
    async report(requestId: string): Promise<void> {
      if (!mailer.isConfigured) return;
      await queue.enqueue(db, notifyOwners, { requestId, to: null, atMs: clock.now() });
    },
    job: defineJob({ name: notifyOwners, payload, concurrency: 1, run: send }),
  };
}
