import { user, type User } from "#contract/accounts/auth.ts";

/** Parses the user that the browser remembers. Returns null if the text is damaged. */
export function parseSavedUser(saved: string): User | null {
  try {
    return user.parse(JSON.parse(saved));
  } catch {
    return null;
  }
}
