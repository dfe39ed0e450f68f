import type { KeyObject } from "node:crypto";
import { z } from "zod";
import type { Db } from "#server/db/connection.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import { isUuid, newId } from "#server/lib/ids.ts";
import type { Logger } from "#server/lib/logger.ts";
import { isUnsent, type Mailer } from "#server/lib/mailer.ts";
import { recordAudit } from "#server/features/audit/audit.service.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import { auditedAccount } from "../accounts.service.ts";
import type { FindAccountUrl } from "../account-url.ts";
import * as accounts from "../auth.repository.ts";
import { resetMail } from "../people/mail-texts.ts";
import { requireUncommon, hashPassword } from "../passwords.ts";
import { createSignedTexts } from "../second-factor/signed-text.ts";
import { actorFor, type SessionsService } from "../sessions.service.ts";
import type { SignInLimiter } from "../sign-in-limiter.ts";
import * as repository from "./password-reset.repository.ts";

const validMs = 60 * 60 * 1000;
/** If a link is valid for less than this, a new request replaces it. */
const minValidMs = 15 * 60 * 1000;
/** Minimum time between two mails to one account. */
const coalesceMs = 2 * 60 * 1000;
/** Time for which an unreachable mail server is retried. */
const triesMs = 15 * 60 * 1000;
const retryAfterS = 60;

export const sendReset = "account.send-reset";
export const resetPayload = z.object({ userId: z.uuid(), askedAtMs: z.number() });

interface ResetOrigin {
  addressKey: string;
  requestId: string;
}

const badLink = () => new AppError("forbidden", "This link has expired. Request a new one.");

/** Resets passwords with a link in an e-mail. Second factors stay in place. */
export function createPasswordResetService(deps: {
  db: Db;
  clock: Clock;
  logger: Logger;
  secret: KeyObject;
  queue: JobQueue;
  mailer: Mailer;
  settings: SettingsService;
  findAccountUrl: FindAccountUrl;
  sessions: SessionsService;
  limiter: SignInLimiter;
}) {
  const { db, clock, logger, queue, mailer, settings, findAccountUrl, sessions, limiter } = deps;
  const texts = createSignedTexts({ ...deps, purpose: "password-reset" });
  // The signature covers the password hash and the stored expiry. So a link works once, and an
  // account has only one.
  const contextOf = (passwordHash: string, endMs: number) => JSON.stringify([passwordHash, endMs]);

  /** Returns the expiry of the link to send, or null if none should be sent now. */
  async function takeTurn(userId: string): Promise<Date | null> {
    const now = clock.now();
    return repository.noteReset(db, userId, {
      now: new Date(now),
      sentBefore: new Date(now - coalesceMs),
      keepsEndAfter: new Date(now + minValidMs),
      newEnd: new Date(now + validMs),
    });
  }

  return {
    /**
     * Queues the e-mail if the account exists and isn't disabled. The response is the same either way. All requests
     * for one account get the same link, and at most one mail is sent in two minutes, so that other
     * people can't lock out the owner.
     * @throws AppError conflict if the site sends no e-mail; rate_limited for this requester.
     */
    async ask(email: string, addressKey: string, addressGroup: string): Promise<void> {
      if (!mailer.isConfigured) {
        throw new AppError(
          "conflict",
          "This site can't send email. Ask its operator to reset your password with npm run admin.",
        );
      }
      await limiter.countReset(addressKey, addressGroup);
      const found = await accounts.findUserByEmail(db, email);
      // Does the same work for an unknown account, so that the response time reveals nothing.
      const userId = found?.id ?? newId();
      await queue.enqueue(db, sendReset, { userId, askedAtMs: clock.now() }, { key: userId });
    },

    /** Sends the link. The job runs it. */
    async sendLink({ userId, askedAtMs }: z.infer<typeof resetPayload>): Promise<void> {
      const found = await accounts.findUserById(db, userId);
      if (found === null || !mailer.isConfigured) return;
      const end = await takeTurn(userId);
      if (end === null) return;
      const context = contextOf(found.passwordHash, end.getTime());
      const token = texts.signUntil(found.id, end.getTime(), context);
      const [{ siteName }, siteUrl] = await Promise.all([settings.getPublic(), findAccountUrl()]);
      const link = `${siteUrl}/auth/reset?token=${token}`;
      try {
        await mailer.send({ to: found.email, ...resetMail({ siteName, link }) });
      } catch (error) {
        if (!isUnsent(error) || clock.now() - askedAtMs > triesMs) {
          logger.warn({ err: error }, "couldn't send the link to reset a password");
          return;
        }
        await repository.clearResetTime(db, userId);
        await queue.enqueue(db, sendReset, { userId, askedAtMs }, { startAfterS: retryAfterS });
      }
    },

    /**
     * Signs the user out everywhere. @throws AppError forbidden for an invalid, used or expired
     * link.
     */
    async reset(
      { token, password }: { token: string; password: string },
      { addressKey, requestId }: ResetOrigin,
    ): Promise<void> {
      const id = token.split(".")[0] ?? "";
      if (!isUuid(id)) throw badLink();
      const found = await accounts.findUserById(db, id);
      const endMs = (await repository.findResetEnd(db, id))?.getTime();
      if (found === null || endMs === undefined) throw badLink();
      if (texts.read(token, contextOf(found.passwordHash, endMs)) !== id) throw badLink();
      await requireUncommon(password, found.email);
      const passwordHash = await hashPassword(password, { key: addressKey, isFirst: true });
      // Before the change, so that an error here leaves the link valid.
      await limiter.reset(found.email);
      await db.transaction().execute(async (trx) => {
        // If a link is used twice at the same time, the second request finds a different hash.
        const stored = await accounts.lockPasswordForUpdate(trx, id);
        if (stored !== found.passwordHash) throw badLink();
        await accounts.updatePassword(trx, id, passwordHash);
        await repository.endResetLink(trx, id);
        await sessions.endUserSessions(trx, id, "tokens too");
        await recordAudit(trx, actorFor(found, requestId), {
          action: "account.password-reset",
          entity: "account",
          entityId: id,
          after: auditedAccount(found),
        });
      });
    },
  };
}

export type PasswordResetService = ReturnType<typeof createPasswordResetService>;
