import type { KeyObject } from "node:crypto";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import { createSignedTexts } from "./signed-text.ts";

const validMs = 10 * 60 * 1000;
export const pendingS = validMs / 1000;

/** The password was right, and a second factor must follow. */
export class SecondFactorNeeded extends AppError {
  /** Proves the password to the next step. */
  readonly pending: string;

  constructor(pending: string) {
    super("second_factor_needed", "Enter the code of your authenticator app, or a recovery code.");
    this.pending = pending;
  }
}

/** Proof of the right password for ten minutes. Another password makes it worthless. */
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
