import type { KeyObject } from "node:crypto";
import { z } from "zod";
import type { Db } from "#server/db/connection.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import { isUuid, newId } from "#server/lib/ids.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { Mailer } from "#server/lib/mailer.ts";
import { recordAudit } from "#server/features/audit/audit.service.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import { described } from "../accounts.service.ts";
import * as repository from "../auth.repository.ts";
import { requireUncommon } from "../common-passwords.ts";
import { resetMail } from "../people/mail-texts.ts";
import { hashPassword } from "../passwords.ts";
import { createSignedTexts } from "../second-factor/signed-text.ts";
import { actorFor, type SessionsService } from "../sessions.service.ts";
import type { SignInLimiter } from "../sign-in-limiter.ts";

const validMs = 60 * 60 * 1000;
/** A mail server that is away is tried again for this long. */
const triesMs = 15 * 60 * 1000;
const retryAfterS = 60;

export const sendReset = "account.send-reset";
export const resetPayload = z.object({ userId: z.uuid(), askedAtMs: z.number() });

/** A new password by a link in an e-mail. Second factors stay as they are. */
export interface PasswordResetService {
  /**
   * Queues the e-mail, if there is such an account. The response is the same either way.
   * @throws AppError conflict where the site sends no e-mail; rate_limited.
   */
  ask(email: string, addressKey: string): Promise<void>;
  /** The job: sends the link. */
  sendLink(asked: z.infer<typeof resetPayload>): Promise<void>;
  /** Signs the user out everywhere. @throws AppError forbidden for a wrong, used or expired link. */
  reset(input: { token: string; password: string }, from: ResetOrigin): Promise<void>;
}

interface ResetOrigin {
  addressKey: string;
  requestId: string;
}

const badLink = () =>
  new AppError("forbidden", "This link is not valid any more. Ask for a new one.");

export function createPasswordResetService(deps: {
  db: Db;
  clock: Clock;
  logger: Logger;
  secret: KeyObject;
  queue: Pick<JobQueue, "enqueue">;
  mailer: Mailer;
  settings: Pick<SettingsService, "getPublic" | "siteUrl">;
  sessions: Pick<SessionsService, "endAllOf">;
  limiter: Pick<SignInLimiter, "reserve" | "reset">;
}): PasswordResetService {
  const { db, clock, logger, queue, mailer, settings, sessions, limiter } = deps;
  // The signature covers the hash of the password, so that a link works once.
  const links = createSignedTexts({ ...deps, purpose: "password-reset" });

  return {
    async ask(email, addressKey) {
      if (!mailer.isConfigured) {
        throw new AppError(
          "conflict",
          "This site sends no email. Its operator resets passwords with npm run admin.",
        );
      }
      // Each question counts, so that no mailbox is flooded.
      await limiter.reserve({ email: `reset ${email}`, addressKey, deviceKey: null, isCode: true });
      const found = await repository.findUserByEmail(db, email);
      // The same work for an unknown account, so that the time tells nothing.
      const userId = found?.id ?? newId();
      await queue.enqueue(db, sendReset, { userId, askedAtMs: clock.now() }, { key: userId });
    },

    async sendLink({ userId, askedAtMs }) {
      const found = await repository.findUserById(db, userId);
      if (found === null || !mailer.isConfigured) return;
      const token = links.sign(found.id, validMs, found.passwordHash);
      const [{ siteName }, siteUrl] = await Promise.all([settings.getPublic(), settings.siteUrl()]);
      const link = `${siteUrl}/auth/reset?token=${token}`;
      try {
        await mailer.send({ to: found.email, ...resetMail({ siteName, link }) });
      } catch (error) {
        if (clock.now() - askedAtMs > triesMs) {
          logger.warn({ err: error }, "the link to reset a password could not be sent");
          return;
        }
        await queue.enqueue(db, sendReset, { userId, askedAtMs }, { startAfterS: retryAfterS });
      }
    },

    async reset({ token, password }, { addressKey, requestId }) {
      const id = token.split(".")[0] ?? "";
      const found = isUuid(id) ? await repository.findUserById(db, id) : null;
      if (found === null || links.read(token, found.passwordHash) !== id) throw badLink();
      await requireUncommon(password, found.email);
      const passwordHash = await hashPassword(password, { key: addressKey, isFirst: true });
      await db.transaction().execute(async (trx) => {
        // Two uses of one link at once: the second finds another hash.
        const stored = await repository.lockPasswordForUpdate(trx, id);
        if (stored !== found.passwordHash) throw badLink();
        await repository.updatePassword(trx, id, passwordHash);
        await sessions.endAllOf(trx, id);
        await recordAudit(trx, actorFor(found, requestId), {
          action: "account.password-reset",
          entity: "account",
          entityId: id,
          after: described(found),
        });
      });
      await limiter.reset(found.email);
    },
  };
}
