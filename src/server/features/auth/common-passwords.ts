import { AppError } from "#server/lib/app-error.ts";

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
