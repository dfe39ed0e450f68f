import type { User } from "#contract/accounts/auth.ts";

/** A user as stored. Responses name an owner's role `ADMIN`. */
export interface Account extends User {
  isOwner: boolean;
}

/** The columns of `users` that make an account. */
export const accountColumns = [
  "users.id",
  "users.email",
  "users.name",
  "users.role",
  "users.is_owner as isOwner",
] as const;
