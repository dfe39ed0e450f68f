import type { User } from "#contract/accounts/auth.ts";

/** User as stored in the database. Responses show an owner's role as `ADMIN`. */
export interface Account extends User {
  isOwner: boolean;
}

/** Columns of `users` that make up an account. */
export const accountColumns = [
  "users.id",
  "users.email",
  "users.name",
  "users.role",
  "users.is_owner as isOwner",
] as const;
