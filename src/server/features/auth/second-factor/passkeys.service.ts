import type { NewPasskey, PasskeyAssertion } from "#contract/accounts/account.ts";
import type { KeyObject } from "node:crypto";
import type { Db, Trx } from "#server/db/connection.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import { sha256 } from "#server/lib/ids.ts";
import { recordAudit } from "#server/features/audit/audit.service.ts";
import type { SignedInUser } from "#server/http/access/policy.ts";
import type { Account } from "../account.ts";
import { requireSession } from "../sessions.service.ts";
import { challengeMs, createPasskeyCeremonies } from "./passkey-ceremonies.ts";
import * as repository from "./passkeys.repository.ts";
import type { RelyingParty } from "./relying-party.ts";
import type { SecondFactorsService } from "./second-factors.service.ts";
import { deleteUnusedRecoveryCodes } from "./second-factors.repository.ts";

const maxPasskeys = 20;

interface VerifiedPasskey {
  userId: string;
  passkeyId: string;
  counter: number;
  challenge: string;
}

/** Passkeys (WebAuthn). A passkey counts as two factors: the device and the lock of the device. */
export function createPasskeysService(deps: {
  db: Db;
  clock: Clock;
  secret: KeyObject;
  factors: SecondFactorsService;
}) {
  const { db, clock, factors } = deps;
  const ceremonies = createPasskeyCeremonies(deps.secret, clock);

  /** Records a challenge as used. @returns false if it was used before. */
  const useChallenge = (trx: Trx, challenge: string) =>
    repository.useChallenge(trx, sha256(challenge), new Date(clock.now() + challengeMs));

  return {
    list: (userId: string): Promise<repository.PasskeyRow[]> => repository.listPasskeys(db, userId),

    async beginAdding(user: Account, party: RelyingParty): Promise<Record<string, unknown>> {
      const known = await repository.listPasskeys(db, user.id);
      requirePlace(known);
      return ceremonies.beginAdding(user, party, known);
    },

    /** @returns recovery codes if the account had none. @throws AppError invalid. */
    async add(
      user: SignedInUser,
      { name, response }: NewPasskey,
      party: RelyingParty,
      requestId: string,
    ): Promise<string[]> {
      const added = await ceremonies.verifyAdded(user.id, response, party);
      const refused = () => new AppError("invalid", "Couldn't verify this passkey. Try again.");
      if (added === null) throw refused();
      return db.transaction().execute(async (trx) => {
        await requireSession(trx, user);
        requirePlace(await repository.listPasskeys(trx, user.id));
        if (!(await useChallenge(trx, added.challenge))) throw refused();
        const isNew = await repository.insertPasskey(trx, {
          ...added.credential,
          userId: user.id,
          name,
          transports: response.response.transports ?? [],
        });
        if (!isNew) throw new AppError("conflict", "This passkey is already registered.");
        await recordAudit(
          trx,
          { user, requestId },
          {
            action: "account.passkey-added",
            entity: "account",
            entityId: user.id,
            after: { email: user.email, passkey: name },
          },
        );
        return factors.ensureRecoveryCodes(trx, user.id);
      });
    },

    /** @throws AppError not_found. */
    async remove(user: Account, passkeyId: string, requestId: string): Promise<void> {
      await db.transaction().execute(async (trx) => {
        if (!(await repository.deletePasskey(trx, user.id, passkeyId))) {
          throw new AppError("not_found", "Passkey not found.");
        }
        await deleteUnusedRecoveryCodes(trx, user.id);
        await recordAudit(
          trx,
          { user, requestId },
          {
            action: "account.passkey-removed",
            entity: "account",
            entityId: user.id,
            after: { email: user.email },
          },
        );
      });
    },

    beginSignIn: (party: RelyingParty): Promise<Record<string, unknown>> =>
      ceremonies.beginUse("sign-in", party),

    /**
     * Returns options for a signed-in user who confirms a change.
     * @throws AppError conflict if the user has no passkey.
     */
    async beginConfirming(userId: string, party: RelyingParty): Promise<Record<string, unknown>> {
      const known = await repository.listPasskeys(db, userId);
      if (known.length === 0)
        throw new AppError("conflict", "Your account doesn't have a passkey.");
      return ceremonies.beginUse({ confirmingId: userId }, party, known);
    },

    /**
     * Verifies a sign-in or a user's confirmation.
     * @param confirmingId the user who confirms a change; null for a sign-in.
     * @returns the ids of the user and the passkey, or null.
     */
    async verify(
      response: PasskeyAssertion,
      party: RelyingParty,
      confirmingId: string | null,
    ): Promise<VerifiedPasskey | null> {
      const known = await repository.findPasskey(db, response.id);
      if (known === null || (confirmingId !== null && known.userId !== confirmingId)) return null;
      const { userHandle } = response.response;
      // If the user isn't known yet, the authenticator must name the passkey's owner.
      if (
        userHandle === undefined ? confirmingId === null : !isUserHandle(userHandle, known.userId)
      ) {
        return null;
      }
      const purpose = confirmingId === null ? "sign-in" : { confirmingId };
      const used = await ceremonies.verifyUsed(purpose, response, party, known);
      return used === null ? null : { userId: known.userId, passkeyId: known.id, ...used };
    },

    /**
     * Records the use in the same transaction as the sign-in. @returns false for a replay, or if
     * the passkey has been removed.
     */
    async use(trx: Trx, { passkeyId, counter, challenge }: VerifiedPasskey): Promise<boolean> {
      if (!(await useChallenge(trx, challenge))) return false;
      return repository.usePasskey(trx, passkeyId, { counter, at: clock.date() });
    },

    deleteExpired: (): Promise<void> => repository.deleteExpiredChallenges(db, clock.date()),
  };
}

export type PasskeysService = ReturnType<typeof createPasskeysService>;

/** @throws AppError conflict if the user has too many passkeys for another one. */
function requirePlace(known: readonly unknown[]): void {
  if (known.length < maxPasskeys) return;
  throw new AppError(
    "conflict",
    `You've reached the limit of ${maxPasskeys} passkeys. Remove one first.`,
  );
}

/** Returns whether the authenticator's handle is this user's id, as set at registration. */
const isUserHandle = (userHandle: string, userId: string): boolean =>
  Buffer.from(userHandle, "base64url").equals(Buffer.from(userId));
