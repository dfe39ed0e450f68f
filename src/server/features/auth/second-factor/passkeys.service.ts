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
import type { SecondFactorsService } from "./second-factors.service.ts";
import { readFactors, replaceRecoveryCodes } from "./second-factors.repository.ts";
import { createSignedTexts } from "./signed-text.ts";

const challengeMs = 5 * 60 * 1000;
const maxPasskeys = 20;
/** EdDSA, ES256 and RS256: what every authenticator has. */
const supportedAlgorithmIDs = [-8, -7, -257];

/** Where a browser says it is: passkeys belong to one host name. */
export interface RelyingParty {
  origin: string;
  host: string;
  siteName: string;
}

/** Passkeys (WebAuthn). Each stands for both factors: the device, and its lock. */
export interface PasskeysService {
  list(userId: string): Promise<repository.PasskeyRow[]>;
  beginAdding(user: Account, party: RelyingParty): Promise<Record<string, unknown>>;
  /** @returns recovery codes, if there were none. @throws AppError invalid. */
  add(user: Account, input: NewPasskey, party: RelyingParty, requestId: string): Promise<string[]>;
  /** @throws AppError not_found. */
  remove(user: Account, id: string, requestId: string): Promise<void>;
  beginSignIn(party: RelyingParty): Promise<Record<string, unknown>>;
  /** Checks a sign-in. @returns the user's id and the id of the passkey, or null. */
  verify(response: PasskeyAssertion, party: RelyingParty): Promise<VerifiedPasskey | null>;
  /** Notes the use, in the transaction of the sign-in. @returns false for a replay. */
  use(trx: Trx, verified: VerifiedPasskey): Promise<boolean>;
  deleteExpired(): Promise<void>;
}

interface VerifiedPasskey {
  userId: string;
  passkeyId: string;
  counter: number;
  challenge: string;
}

const challengeOf = z.object({ challenge: z.string().max(500) });

export function createPasskeysService(deps: {
  db: Db;
  clock: Clock;
  secret: KeyObject;
  factors: Pick<SecondFactorsService, "ensureRecoveryCodes">;
}): PasskeysService {
  const { db, clock, factors } = deps;
  const challenges = createSignedTexts({ ...deps, purpose: "passkey" });

  /** A challenge that proves itself, so that requests of visitors store nothing. */
  const newChallenge = (context: string) =>
    new Uint8Array(
      Buffer.from(challenges.sign(randomBytes(16).toString("base64url"), challengeMs, context)),
    );
  const isChallenge = (challenge: string, context: string) =>
    challenges.read(Buffer.from(challenge, "base64url").toString(), context) !== null;

  /** The library rejects what does not verify; why is of no use to the caller. */
  const orNull = <T>(work: Promise<T>): Promise<T | null> => work.catch(() => null);

  return {
    list: (userId) => repository.listPasskeys(db, userId),

    async beginAdding(user, party) {
      const known = await repository.listPasskeys(db, user.id);
      if (known.length >= maxPasskeys) {
        throw new AppError("conflict", `An account has at most ${maxPasskeys} passkeys.`);
      }
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

    async add(user, { name, response }, party, requestId) {
      const verified = await orNull(
        verifyRegistrationResponse({
          response,
          expectedChallenge: (challenge) => isChallenge(challenge, user.id),
          expectedOrigin: party.origin,
          expectedRPID: party.host,
          requireUserVerification: true,
          supportedAlgorithmIDs,
        }),
      );
      if (verified?.verified !== true) {
        throw new AppError("invalid", "This passkey could not be checked. Try again.");
      }
      const { credential } = verified.registrationInfo;
      return db.transaction().execute(async (trx) => {
        const isNew = await repository.insertPasskey(trx, {
          id: credential.id,
          userId: user.id,
          name,
          publicKey: Buffer.from(credential.publicKey),
          counter: credential.counter,
          transports: response.response.transports ?? [],
        });
        if (!isNew) throw new AppError("conflict", "This passkey is known already.");
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
          throw new AppError("not_found", "There is no such passkey.");
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
        challenge: newChallenge("sign-in"),
      });
      return { ...options };
    },

    async verify(response, party) {
      const known = await repository.findPasskey(db, response.id);
      if (known === null) return null;
      const verified = await orNull(
        verifyAuthenticationResponse({
          response,
          expectedChallenge: (challenge) => isChallenge(challenge, "sign-in"),
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
      const clientData: unknown = JSON.parse(
        Buffer.from(response.response.clientDataJSON, "base64url").toString(),
      );
      return {
        userId: known.userId,
        passkeyId: known.id,
        counter: verified.authenticationInfo.newCounter,
        challenge: challengeOf.parse(clientData).challenge,
      };
    },

    async use(trx, { passkeyId, counter, challenge }) {
      const expiresAt = new Date(clock.now() + challengeMs);
      if (!(await repository.useChallenge(trx, sha256(challenge), expiresAt))) return false;
      await repository.usePasskey(trx, passkeyId, { counter, at: clock.date() });
      return true;
    },

    deleteExpired: () => repository.deleteExpiredChallenges(db, clock.date()),
  };
}
