import type { NewPasskey, PasskeyAssertion } from "#contract/accounts/account.ts";
import { randomBytes, type KeyObject } from "node:crypto";
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { z } from "zod";
import type { Db, Trx } from "#server/db/connection.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import { sha256 } from "#server/lib/ids.ts";
import { recordAudit } from "#server/features/audit/audit.service.ts";
import type { Account } from "../account.ts";
import * as repository from "./passkeys.repository.ts";
import type { RelyingParty } from "./relying-party.ts";
import type { SecondFactorsService } from "./second-factors.service.ts";
import { readFactors, replaceRecoveryCodes } from "./second-factors.repository.ts";
import { createSignedTexts } from "./signed-text.ts";

const challengeMs = 5 * 60 * 1000;
const maxPasskeys = 20;
/** EdDSA, ES256 and RS256, which cover all common authenticators. */
const supportedAlgorithmIDs = [-8, -7, -257];

/** Passkeys (WebAuthn). A passkey counts as both factors: the device and its lock. */
export interface PasskeysService {
  list(userId: string): Promise<repository.PasskeyRow[]>;
  beginAdding(user: Account, party: RelyingParty): Promise<Record<string, unknown>>;
  /** @returns recovery codes if the account had none. @throws AppError invalid. */
  add(user: Account, input: NewPasskey, party: RelyingParty, requestId: string): Promise<string[]>;
  /** @throws AppError not_found. */
  remove(user: Account, id: string, requestId: string): Promise<void>;
  beginSignIn(party: RelyingParty): Promise<Record<string, unknown>>;
  /**
   * Returns options for a signed-in user who confirms a change. @throws AppError conflict without a
   * passkey.
   */
  beginConfirming(userId: string, party: RelyingParty): Promise<Record<string, unknown>>;
  /**
   * Verifies a sign-in or a user's confirmation.
   * @param confirmingId the user who confirms a change; null for a sign-in.
   * @returns the ids of the user and the passkey, or null.
   */
  verify(
    response: PasskeyAssertion,
    party: RelyingParty,
    confirmingId: string | null,
  ): Promise<VerifiedPasskey | null>;
  /** Records the use in the sign-in's transaction. @returns false for a replay. */
  use(trx: Trx, verified: VerifiedPasskey): Promise<boolean>;
  deleteExpired(): Promise<void>;
}

interface VerifiedPasskey {
  userId: string;
  passkeyId: string;
  counter: number;
  challenge: string;
}

const clientDataOf = z.object({
  challenge: z.string().max(500),
  crossOrigin: z.boolean().optional(),
  topOrigin: z.string().optional(),
});

/** Returns the browser's client data; null if the page was framed by another origin. */
function readClientData(clientDataJSON: string): { challenge: string } | null {
  const text = Buffer.from(clientDataJSON, "base64url").toString();
  const { challenge, crossOrigin, topOrigin } = clientDataOf.parse(JSON.parse(text));
  return crossOrigin === true || topOrigin !== undefined ? null : { challenge };
}

/** Context that each challenge is bound to. A challenge for another purpose or user is rejected. */
const contexts = {
  signIn: "sign-in",
  adding: (userId: string) => userId,
  confirming: (userId: string) => `confirm:${userId}`,
};

export function createPasskeysService(deps: {
  db: Db;
  clock: Clock;
  secret: KeyObject;
  factors: Pick<SecondFactorsService, "ensureRecoveryCodes">;
}): PasskeysService {
  const { db, clock, factors } = deps;
  const challenges = createSignedTexts({ ...deps, purpose: "passkey" });

  /** Creates a signed challenge, so that requests from visitors store nothing. */
  const newChallenge = (context: string) =>
    new Uint8Array(
      Buffer.from(challenges.sign(randomBytes(16).toString("base64url"), challengeMs, context)),
    );
  const isChallenge = (challenge: string, context: string) =>
    challenges.read(Buffer.from(challenge, "base64url").toString(), context) !== null;

  /** Records a challenge as used. @returns false if it was used before. */
  const useChallenge = (trx: Trx, challenge: string) =>
    repository.useChallenge(trx, sha256(challenge), new Date(clock.now() + challengeMs));

  /** The library throws if verification fails. Callers don't need the reason. */
  const orNull = <T>(work: Promise<T>): Promise<T | null> => work.catch(() => null);

  return {
    list: (userId) => repository.listPasskeys(db, userId),

    async beginAdding(user, party) {
      const known = await repository.listPasskeys(db, user.id);
      if (known.length >= maxPasskeys) {
        throw new AppError(
          "conflict",
          `You've reached the limit of ${maxPasskeys} passkeys. Remove one first.`,
        );
      }
      const options = await generateRegistrationOptions({
        rpName: party.siteName,
        rpID: party.host,
        userName: user.email,
        userDisplayName: user.name,
        userID: new Uint8Array(Buffer.from(user.id)),
        challenge: newChallenge(contexts.adding(user.id)),
        excludeCredentials: known.map((each) => ({ id: each.id, transports: each.transports })),
        supportedAlgorithmIDs,
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
      });
      return { ...options };
    },

    async add(user, { name, response }, party, requestId) {
      const verified = await orNull(
        verifyRegistrationResponse({
          response,
          expectedChallenge: (challenge) => isChallenge(challenge, contexts.adding(user.id)),
          expectedOrigin: party.origin,
          expectedRPID: party.host,
          requireUserVerification: true,
          supportedAlgorithmIDs,
        }),
      );
      const refused = () => new AppError("invalid", "Couldn't verify this passkey. Try again.");
      if (verified?.verified !== true) throw refused();
      const clientData = readClientData(response.response.clientDataJSON);
      if (clientData === null) throw refused();
      const { credential } = verified.registrationInfo;
      return db.transaction().execute(async (trx) => {
        if (!(await useChallenge(trx, clientData.challenge))) throw refused();
        const isNew = await repository.insertPasskey(trx, {
          id: credential.id,
          userId: user.id,
          name,
          publicKey: Buffer.from(credential.publicKey),
          counter: credential.counter,
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

    async remove(user, passkeyId, requestId) {
      await db.transaction().execute(async (trx) => {
        if (!(await repository.deletePasskey(trx, user.id, passkeyId))) {
          throw new AppError("not_found", "Passkey not found.");
        }
        const { hasTotp, passkeys } = await readFactors(trx, user.id);
        if (!hasTotp && passkeys === 0) await replaceRecoveryCodes(trx, user.id, []);
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

    async beginSignIn(party) {
      const options = await generateAuthenticationOptions({
        rpID: party.host,
        userVerification: "required",
        challenge: newChallenge(contexts.signIn),
      });
      return { ...options };
    },

    async beginConfirming(userId, party) {
      const known = await repository.listPasskeys(db, userId);
      if (known.length === 0)
        throw new AppError("conflict", "Your account doesn't have a passkey.");
      const options = await generateAuthenticationOptions({
        rpID: party.host,
        userVerification: "required",
        challenge: newChallenge(contexts.confirming(userId)),
        allowCredentials: known.map(({ id, transports }) => ({ id, transports })),
      });
      return { ...options };
    },

    async verify(response, party, confirmingId) {
      const known = await repository.findPasskey(db, response.id);
      if (known === null || (confirmingId !== null && known.userId !== confirmingId)) return null;
      const { userHandle } = response.response;
      // Without a known user, the authenticator must name the passkey's owner.
      if (
        userHandle === undefined ? confirmingId === null : !isUserHandle(userHandle, known.userId)
      ) {
        return null;
      }
      const context = confirmingId === null ? contexts.signIn : contexts.confirming(confirmingId);
      const verified = await orNull(
        verifyAuthenticationResponse({
          response,
          expectedChallenge: (challenge) => isChallenge(challenge, context),
          expectedOrigin: party.origin,
          expectedRPID: party.host,
          requireUserVerification: true,
          credential: {
            id: known.id,
            publicKey: new Uint8Array(known.publicKey),
            counter: known.counter,
          },
        }),
      );
      if (verified?.verified !== true) return null;
      const clientData = readClientData(response.response.clientDataJSON);
      if (clientData === null) return null;
      return {
        userId: known.userId,
        passkeyId: known.id,
        counter: verified.authenticationInfo.newCounter,
        challenge: clientData.challenge,
      };
    },

    async use(trx, { passkeyId, counter, challenge }) {
      if (!(await useChallenge(trx, challenge))) return false;
      await repository.usePasskey(trx, passkeyId, { counter, at: clock.date() });
      return true;
    },

    deleteExpired: () => repository.deleteExpiredChallenges(db, clock.date()),
  };
}

/** Returns whether the authenticator's handle is this user's id, as set at registration. */
const isUserHandle = (userHandle: string, userId: string): boolean =>
  Buffer.from(userHandle, "base64url").equals(Buffer.from(userId));
