import { z } from "zod";
import type { Db } from "#server/db/connection.ts";
import { defineJob, type JobQueue } from "#server/jobs/queue.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { Logger } from "#server/lib/logger.ts";
import { isUnsent, type Mailer } from "#server/lib/mailer.ts";
import { listAuditOfRequest } from "#server/features/audit/audit.service.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import type { FindAccountUrl } from "./account-url.ts";
import { changeNotice } from "./people/mail-texts.ts";
import { listOwnerEmails } from "./auth.repository.ts";

/** Part of an audit entry that a mail needs. */
interface ChangeEntry {
  action: string;
  userEmail: string;
  before: unknown;
  after: unknown;
}

const state = z
  .object({
    email: z.string().optional(),
    role: z.string().optional(),
    name: z.string().optional(),
    siteUrl: z.string().nullable().optional(),
    isSecondFactorRequired: z.boolean().optional(),
  })
  .catch({});
type State = z.infer<typeof state>;

const lines: Record<string, (before: State, after: State) => string> = {
  "account.invited": (_, after) => `Invited ${after.email} as ${after.role}`,
  "account.invitation-revoked": (before) => `Withdrew the invitation for ${before.email}`,
  "account.role-changed": (before, after) =>
    `Changed the role of ${after.email} from ${before.role} to ${after.role}`,
  "account.disabled": (_, after) => `Disabled the account ${after.email}`,
  "account.enabled": (_, after) => `Enabled the account ${after.email}`,
  "account.removed": (before) => `Removed the account ${before.email}`,
  "account.email-changed": (before, after) =>
    `Changed their email address from ${before.email} to ${after.email}`,
  "account.totp-added": () => "Added an authenticator app to their account",
  "account.totp-removed": () => "Removed the authenticator app from their account",
  "account.passkey-added": () => "Added a passkey to their account",
  "account.passkey-removed": () => "Removed a passkey from their account",
  "account.recovery-codes-renewed": () => "Created new recovery codes for their account",
  "account.second-factor-rule": (_, after) =>
    after.isSecondFactorRequired === true
      ? "Turned on required two-factor sign-in"
      : "Turned off required two-factor sign-in",
  "token.created": (_, after) => `Created the API token "${after.name}"`,
  "token.removed": (before) =>
    before.email === undefined
      ? `Revoked the API token "${before.name}"`
      : `Revoked the API token "${before.name}" of ${before.email}`,
};

/** Describes an audit entry in one line. Returns null if the entry isn't about access. */
function changeLine(entry: ChangeEntry): string | null {
  const [before, after] = [state.parse(entry.before), state.parse(entry.after)];
  if (entry.action === "settings.updated") {
    if (before.siteUrl === after.siteUrl) return null;
    const name = (url: State["siteUrl"]) => url ?? "none";
    return `Changed the site URL from ${name(before.siteUrl)} to ${name(after.siteUrl)}`;
  }
  return lines[entry.action]?.(before, after) ?? null;
}

/**
 * Returns the email addresses of owners whom a change demoted, disabled or deleted, and the old ones
 * of owners whose address changed. The list of current owners no longer contains them.
 */
function formerOwnersIn(entries: readonly ChangeEntry[]): string[] {
  return entries.flatMap(({ before, action }) => {
    const { email, role } = state.parse(before);
    const isFormer = role === "OWNER" && action.startsWith("account.");
    return isFormer && email !== undefined ? [email] : [];
  });
}

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
      if (!isUnsent(error) || clock.now() - atMs > triesMs) {
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
