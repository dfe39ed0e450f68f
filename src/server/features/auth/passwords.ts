import { createSemaphore, type Caller } from "#server/lib/semaphore.ts";
import { performInThread } from "./password-worker.ts";

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
