import { hash, verify } from "@node-rs/argon2";
import { createTaskLimiter } from "../../lib/task-limiter.ts";

/** Argon2id with the parameters that OWASP's password storage sheet gives (19 MiB, t=2, p=1). */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Argon2 runs in libuv's thread pool (4 threads), which file reads and compression need too. */
export const maxHashesAtOnce = 2;
export const maxHashesWaiting = 16;

const limiter = createTaskLimiter({
  maxRunning: maxHashesAtOnce,
  maxWaiting: maxHashesWaiting,
  message: "Too many sign-ins at once. Try again in a moment.",
  retryAfterS: 2,
});

/** @throws AppError unavailable while too many passwords are being hashed. */
export function hashPassword(password: string): Promise<string> {
  return limiter.run(() => hash(password, parameters));
}

let decoy: Promise<string> | null = null;

/**
 * Checks a password. Without a stored hash (an unknown account) it checks a decoy, so that both cases
 * take the same time.
 * @throws AppError unavailable while too many passwords are being hashed.
 */
export async function isPasswordRight(stored: string | null, password: string): Promise<boolean> {
  return limiter.run(async () => {
    if (stored === null) {
      decoy ??= hash("the password of no account", parameters);
      await verify(await decoy, password);
      return false;
    }
    return verify(stored, password);
  });
}
