import { randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import type { TotpSecret } from "#contract/accounts/account.ts";
import type { Db, Trx } from "#server/db/connection.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import { plainCode, sha256 } from "#server/lib/ids.ts";
import type { SecretBox } from "#server/lib/secret-box.ts";
import { recordAudit, type Actor } from "#server/features/audit/audit.service.ts";
import type { SignedInUser } from "#server/http/access/policy.ts";
import type { Account } from "../account.ts";
import { requireSession } from "../sessions.service.ts";
import { deleteUserPasskeys } from "./passkeys.repository.ts";
import * as repository from "./second-factors.repository.ts";

const stepMs = 30_000;
const secretBytes = 20;
const recoveryCodeCount = 10;
/** 80 bits can't be guessed, so a plain hash is enough. */
const recoveryCodeBytes = 10;

const totpOf = (secret: Buffer, label: { issuer: string; label: string }) =>
  new TOTP({
    ...label,
    secret: new Secret({ buffer: new Uint8Array(secret).buffer }),
    algorithm: "SHA1",
    digits: 6,
    period: stepMs / 1000,
  });

const hashOf = (code: string) => sha256(`recovery:${plainCode(code)}`);

/** Creates groups of four letters and digits. Leaves out 0, 1, 8 and 9. */
function newRecoveryCode(): string {
  const text = new Secret({ buffer: new Uint8Array(randomBytes(recoveryCodeBytes)).buffer }).base32;
  return (text.match(/.{4}/g) ?? [text]).join("-");
}

/** Codes of an authenticator app (RFC 6238) and recovery codes. */
export function createSecondFactorsService(deps: { db: Db; clock: Clock; box: SecretBox }) {
  const { db, clock, box } = deps;

  async function writeCodes(trx: Trx, userId: string): Promise<string[]> {
    const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode);
    await repository.replaceRecoveryCodes(trx, userId, codes.map(hashOf));
    return codes;
  }

  /** Creates recovery codes if the account has none. Otherwise returns an empty list. */
  async function ensureRecoveryCodes(trx: Trx, userId: string): Promise<string[]> {
    const { recoveryCodesLeft } = await repository.readFactors(trx, userId);
    return recoveryCodesLeft > 0 ? [] : writeCodes(trx, userId);
  }

  /** Uses up an app code. Also accepts the codes of the time steps before and after. */
  async function takeTotp(trx: Trx, userId: string, code: string, isActive: boolean) {
    const row = await repository.lockTotp(trx, userId);
    if (row === null || row.isActive !== isActive || !/^\d{6}$/.test(code)) return false;
    const opened = row.sealed === null ? null : box.open(row.sealed, userId);
    if (opened === null) return false;
    const totp = totpOf(opened.plain, { issuer: "", label: "" });
    const delta = totp.validate({ token: code, timestamp: clock.now(), window: 1 });
    if (delta === null) return false;
    const step = Math.floor(clock.now() / stepMs) + delta;
    if (step <= row.lastStep) return false;
    await repository.useTotpStep(trx, userId, step);
    return true;
  }

  const entry = (user: Account, action: string) => ({
    action,
    entity: "account",
    entityId: user.id,
    after: { email: user.email },
  });
  const actorOf = (user: Account, requestId: string): Actor => ({ user, requestId });

  return {
    ensureRecoveryCodes,

    /**
     * Creates a secret. It becomes active once a code has been entered. @throws AppError conflict.
     */
    async beginTotp(user: Account, issuer: string): Promise<TotpSecret> {
      const { hasTotp } = await repository.readFactors(db, user.id);
      if (hasTotp)
        throw new AppError("conflict", "You already have an authenticator app. Remove it first.");
      const secret = randomBytes(secretBytes);
      await repository.replaceTotp(db, user.id, box.seal(secret, user.id));
      const totp = totpOf(secret, { issuer, label: user.email });
      return { secret: totp.secret.base32, uri: totp.toString() };
    },

    /**
     * @returns recovery codes if the account had none. @throws AppError invalid for a wrong code.
     */
    async activateTotp(user: SignedInUser, code: string, requestId: string): Promise<string[]> {
      return db.transaction().execute(async (trx) => {
        await requireSession(trx, user);
        if (!(await takeTotp(trx, user.id, plainCode(code), false))) {
          const message = "This code is incorrect. Enter the six digits your app shows now.";
          throw new AppError("invalid", message, { issues: [{ path: "code", message }] });
        }
        await recordAudit(trx, actorOf(user, requestId), entry(user, "account.totp-added"));
        return ensureRecoveryCodes(trx, user.id);
      });
    },

    async removeTotp(user: Account, requestId: string): Promise<void> {
      await db.transaction().execute(async (trx) => {
        await repository.deleteTotp(trx, user.id);
        await repository.deleteUnusedRecoveryCodes(trx, user.id);
        await recordAudit(trx, actorOf(user, requestId), entry(user, "account.totp-removed"));
      });
    },

    async renewRecoveryCodes(user: Account, requestId: string): Promise<string[]> {
      return db.transaction().execute(async (trx) => {
        const { hasTotp, passkeys } = await repository.readFactors(trx, user.id);
        if (!hasTotp && passkeys === 0) {
          throw new AppError("conflict", "Add an authenticator app or a passkey first.");
        }
        const action = "account.recovery-codes-renewed";
        await recordAudit(trx, actorOf(user, requestId), entry(user, action));
        return writeCodes(trx, user.id);
      });
    },

    /** Uses up an app code or a recovery code. @returns null if it is wrong or was already used. */
    async take(trx: Trx, userId: string, code: string): Promise<"app" | "recovery code" | null> {
      if (await takeTotp(trx, userId, plainCode(code), true)) return "app";
      const isTaken = await repository.takeRecoveryCode(trx, userId, hashOf(code));
      return isTaken ? "recovery code" : null;
    },

    /** Returns whether sign-in needs more than the password. */
    async isNeeded(userId: string): Promise<boolean> {
      const { hasTotp, passkeys } = await repository.readFactors(db, userId);
      return hasTotp || passkeys > 0;
    },

    /**
     * Seals secrets that are unsealed or sealed with a former key, using the current key.
     * @returns the number of secrets that no key can open.
     */
    async sealAll(): Promise<number> {
      return db.transaction().execute(async (trx) => {
        let lost = 0;
        for (const { userId, secret, sealed } of await repository.lockAllTotp(trx)) {
          const opened = sealed === null ? null : box.open(sealed, userId);
          const plain = secret ?? opened?.plain;
          if (plain === undefined) lost += 1;
          else if (opened?.isCurrent !== true) {
            await repository.saveSealed(trx, userId, box.seal(plain, userId));
          }
        }
        return lost;
      });
    },

    /** Removes all second factors. */
    async removeAll(trx: Trx, userId: string): Promise<void> {
      await repository.deleteTotp(trx, userId);
      await deleteUserPasskeys(trx, userId);
      await repository.replaceRecoveryCodes(trx, userId, []);
    },
  };
}

export type SecondFactorsService = ReturnType<typeof createSecondFactorsService>;
