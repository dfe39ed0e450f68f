import { hash, verify } from "@node-rs/argon2";

/** Argon2id with the parameters that OWASP's password storage sheet gives (19 MiB, t=2, p=1). */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export function hashPassword(password: string): Promise<string> {
  return hash(password, parameters);
}

let decoy: Promise<string> | null = null;

/**
 * Checks a password. With no stored hash (an unknown account) the same work is done against a
 * decoy, so that the time tells nothing.
 */
export async function isPasswordRight(stored: string | null, password: string): Promise<boolean> {
  if (stored === null) {
    decoy ??= hashPassword("nobody has this password");
    await verify(await decoy, password);
    return false;
  }
  return verify(stored, password);
}
