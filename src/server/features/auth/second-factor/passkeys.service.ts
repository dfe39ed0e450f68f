import { randomBytes, type KeyObject } from "node:crypto";
import { z } from "zod";
import type { NewPasskey, PasskeyAssertion } from "#contract/accounts/account.ts";
import type { Db, Trx } from "#server/db/connection.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import { sha256 } from "#server/lib/ids.ts";
import { recordAudit } from "#server/features/audit/audit.service.ts";
import type { SignedInUser } from "#server/http/access/policy.ts";
import type { Account } from "../account.ts";
import { requireSession } from "../sessions.service.ts";
import * as repository from "./passkeys.repository.ts";
import type { RelyingParty } from "./relying-party.ts";
import type { SecondFactorsService } from "./second-factors.service.ts";
import { deleteUnusedRecoveryCodes } from "./second-factors.repository.ts";
import { createSignedTexts } from "./signed-text.ts";

/** Loaded at the first use, because its 300 modules take 5 MB. */
const webAuthn = () => import("@simplewebauthn/server");

const challengeMs = 5 * 60 * 1000;
/** EdDSA, ES256 and RS256, which cover all common authenticators. */
const supportedAlgorithmIDs = [-8, -7, -257];

/** Purpose of using a passkey. A challenge for another purpose or user is rejected. */
type UsePurpose = "sign-in" | { confirmingId: string };

const contextOf = (purpose: UsePurpose): string =>
  purpose === "sign-in" ? purpose : `confirm:${purpose.confirmingId}`;

/** Exchanges with an authenticator, which WebAuthn calls ceremonies. */
function createPasskeyCeremonies(secret: KeyObject, clock: Clock) {
  const challenges = createSignedTexts({ secret, clock, purpose: "passkey" });

  /** Creates a signed challenge, so that nothing has to be stored for visitors' requests. */
  const newChallenge = (context: string) =>
    new Uint8Array(
      Buffer.from(challenges.sign(randomBytes(16).toString("base64url"), challengeMs, context)),
    );
  const isChallenge = (challenge: string, context: string) =>
    challenges.read(Buffer.from(challenge, "base64url").toString(), context) !== null;

  const expected = (party: RelyingParty, context: string) => ({
    expectedChallenge: (challenge: string) => isChallenge(challenge, context),
    expectedOrigin: party.origin,
    expectedRPID: party.host,
    requireUserVerification: true,
  });

  return {
    /** Returns the browser's options for adding a passkey. */
    async beginAdding(user: Account, party: RelyingParty, known: readonly repository.PasskeyRow[]) {
      const { generateRegistrationOptions } = await webAuthn();
      const options = await generateRegistrationOptions({
        rpName: party.siteName,
        rpID: party.host,
        userName: user.email,
        userDisplayName: user.name,
        userID: new Uint8Array(Buffer.from(user.id)),
        challenge: newChallenge(user.id),
        excludeCredentials: known.map((each) => ({ id: each.id, transports: each.transports })),
        supportedAlgorithmIDs,
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
      });
      return { ...options };
    },

    async verifyAdded(userId: string, response: NewPasskey["response"], party: RelyingParty) {
      const { verifyRegistrationResponse } = await webAuthn();
      const verified = await orNull(
        verifyRegistrationResponse({
          response,
          ...expected(party, userId),
          supportedAlgorithmIDs,
        }),
      );
      if (verified?.verified !== true) return null;
      const challenge = readChallenge(response.response.clientDataJSON);
      if (challenge === null) return null;
      const { id, publicKey, counter } = verified.registrationInfo.credential;
      return { challenge, credential: { id, publicKey: Buffer.from(publicKey), counter } };
    },

    /**
     * Returns the browser's options for using a passkey. `known` limits them to the user's
     * passkeys.
     */
    async beginUse(
      purpose: UsePurpose,
      party: RelyingParty,
      known?: readonly repository.PasskeyRow[],
    ) {
      const { generateAuthenticationOptions } = await webAuthn();
      const options = await generateAuthenticationOptions({
        rpID: party.host,
        userVerification: "required",
        challenge: newChallenge(contextOf(purpose)),
        ...(known === undefined
          ? {}
          : { allowCredentials: known.map(({ id, transports }) => ({ id, transports })) }),
      });
      return { ...options };
    },

    async verifyUsed(
      purpose: UsePurpose,
      response: PasskeyAssertion,
      party: RelyingParty,
      { id, publicKey, counter }: repository.PasskeyRow,
    ) {
      const { verifyAuthenticationResponse } = await webAuthn();
      const verified = await orNull(
        verifyAuthenticationResponse({
          response,
          ...expected(party, contextOf(purpose)),
          credential: { id, publicKey: new Uint8Array(publicKey), counter },
        }),
      );
      if (verified?.verified !== true) return null;
      const challenge = readChallenge(response.response.clientDataJSON);
      if (challenge === null) return null;
      return { challenge, counter: verified.authenticationInfo.newCounter };
    },
  };
}

/** The library throws if verification fails. Callers don't need the reason. */
const orNull = <T>(work: Promise<T>): Promise<T | null> => work.catch(() => null);

const clientDataOf = z.object({
  challenge: z.string().max(500),
  crossOrigin: z.boolean().optional(),
  topOrigin: z.string().optional(),
});

/** Returns the browser's challenge, or null if another origin framed the page. */
function readChallenge(clientDataJSON: string): string | null {
  const text = Buffer.from(clientDataJSON, "base64url").toString();
  const { challenge, crossOrigin, topOrigin } = clientDataOf.parse(JSON.parse(text));
  return crossOrigin === true || topOrigin !== undefined ? null : challenge;
}

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
