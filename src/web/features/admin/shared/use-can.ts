import { createContext, useCallback, useContext } from "react";
import type { User } from "#contract/accounts/auth.ts";
import { can, type Action } from "#contract/accounts/policy.ts";

/** Signed-in user of the back office. */
export const AdminUser = createContext<User | null>(null);

export type Can = (action: Action) => boolean;

/**
 * Returns a function that tells whether the policy allows the user an action. Use it for display
 * only, because the server decides.
 */
export function useCan(): Can {
  const user = useContext(AdminUser);
  return useCallback((action) => user !== null && can(user.role, action), [user]);
}
