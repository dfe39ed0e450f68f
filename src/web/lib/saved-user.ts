import { user, type User } from "#contract/accounts/auth.ts";

/** Returns the user as the browser remembers it. @throws if the text is damaged. */
export const parseSavedUser = (saved: string): User => user.parse(JSON.parse(saved));
