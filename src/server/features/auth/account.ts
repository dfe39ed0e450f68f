import type { User } from "../../../contract/auth.ts";

/** A user as stored. Responses name an owner's role `ADMIN`. */
export interface Account extends User {
  isOwner: boolean;
}
