import { hash, verify } from "@node-rs/argon2";

/** Argon2id with the parameters that OWASP's password storage sheet gives (19 MiB, t=2, p=1). */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export function hashPassword(password: string): Promise<string> {
  return hash(password, parameters);
}

let decoy: Promise<string> | null = null;

/**
 * Checks a password. Without a stored hash (an unknown account) it checks a decoy, so that both cases
 * take the same time.
 */
export async function isPasswordRight(stored: string | null, password: string): Promise<boolean> {
  if (stored === null) {
    decoy ??= hashPassword("the password of no account");
    await verify(await decoy, password);
    return false;
  }
  return verify(stored, password);
}
