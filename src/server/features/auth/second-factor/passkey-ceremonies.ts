import { randomBytes, type KeyObject } from "node:crypto";
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { z } from "zod";
import type { NewPasskey, PasskeyAssertion } from "#contract/accounts/account.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { Account } from "../account.ts";
import type { PasskeyRow } from "./passkeys.repository.ts";
import type { RelyingParty } from "./relying-party.ts";
import { createSignedTexts } from "./signed-text.ts";

export const challengeMs = 5 * 60 * 1000;
/** EdDSA, ES256 and RS256, which cover all common authenticators. */
const supportedAlgorithmIDs = [-8, -7, -257];

/** Purpose of using a passkey. A challenge for another purpose or user is rejected. */
type UsePurpose = "sign-in" | { confirmingId: string };

const contextOf = (purpose: UsePurpose): string =>
  purpose === "sign-in" ? purpose : `confirm:${purpose.confirmingId}`;

/** Exchanges with an authenticator, which WebAuthn calls ceremonies. */
export function createPasskeyCeremonies(secret: KeyObject, clock: Clock) {
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
    async beginAdding(user: Account, party: RelyingParty, known: readonly PasskeyRow[]) {
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
    async beginUse(purpose: UsePurpose, party: RelyingParty, known?: readonly PasskeyRow[]) {
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
      { id, publicKey, counter }: PasskeyRow,
    ) {
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
