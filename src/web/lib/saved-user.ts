import { user, type User } from "#contract/accounts/auth.ts";

/** Parses the user that the browser remembers. @throws if the text is damaged. */
export const parseSavedUser = (saved: string): User => user.parse(JSON.parse(saved));
