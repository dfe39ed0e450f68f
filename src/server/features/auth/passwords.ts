import { createSemaphore, type Caller } from "#server/lib/semaphore.ts";
import { AppError } from "#server/lib/app-error.ts";
import { performInThread } from "./password-worker.ts";

let common: Promise<ReadonlySet<string>> | null = null;

/** The list is large and rarely needed, so it loads when a user first chooses a password. */
async function readList(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"].filter((text) => text.length >= 8));
}

/**
 * @throws AppError invalid for a password that is in lists of leaked passwords or equals the
 * address.
 */
export async function requireUncommon(
  password: string,
  email: string,
  field = "password",
): Promise<void> {
  const text = password.toLowerCase();
  const address = email.toLowerCase();
  common ??= readList();
  const isGuessable =
    (await common).has(text) || text === address || text === address.split("@")[0];
  if (!isGuessable) return;
  const message = "This password is too common. Choose a different one.";
  throw new AppError("invalid", message, { issues: [{ path: field, message }] });
}

/** A hash takes 19 MiB and 30 ms of CPU time in any thread. */
const queue = createSemaphore({
  maxRunning: 1,
  maxWaitingPerKey: 4,
  maxWaiting: 16,
  message: "Too many people are signing in right now. Try again in a moment.",
  retryAfterS: 2,
});

/** @throws AppError unavailable if too many passwords are being hashed. */
export async function hashPassword(password: string, turn: Caller): Promise<string> {
  const task = { kind: "hash", stored: null, password } as const;
  return String(await queue.run(turn, () => performInThread(task)));
}

/**
 * Checks a password. If there is no stored hash (an unknown account), checks a decoy, so that both
 * cases take the same time.
 * @throws AppError unavailable if too many passwords are being hashed.
 */
export async function isPasswordCorrect(
  stored: string | null,
  password: string,
  turn: Caller,
): Promise<boolean> {
  const task = { kind: "verify", stored, password } as const;
  return (await queue.run(turn, () => performInThread(task))) === true;
}
