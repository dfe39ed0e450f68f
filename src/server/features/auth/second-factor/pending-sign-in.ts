import type { KeyObject } from "node:crypto";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import { createSignedTexts } from "./signed-text.ts";

const validMs = 10 * 60 * 1000;
export const pendingS = validMs / 1000;

/** Thrown when the password was right and a second factor is required. */
export class SecondFactorNeeded extends AppError {
  /** Proof of the right password for the next step. */
  readonly pending: string;

  constructor(pending: string) {
    super("second_factor_needed", "Enter the code of your authenticator app, or a recovery code.");
    this.pending = pending;
  }
}

/** Creates proofs of the right password, valid for ten minutes or until the password changes. */
export function createPendingSignIns(deps: { secret: KeyObject; clock: Clock }) {
  const texts = createSignedTexts({ ...deps, purpose: "pending-sign-in" });
  return {
    sign: (user: { id: string; passwordHash: string }): string =>
      texts.sign(user.id, validMs, user.passwordHash),
    userIdIn: (pending: string): string => pending.split(".")[0] ?? "",
    isValid: (pending: string, user: { id: string; passwordHash: string }): boolean =>
      texts.read(pending, user.passwordHash) === user.id,
  };
}
