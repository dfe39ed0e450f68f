import { createContext, useCallback, useContext } from "react";
import type { User } from "#contract/accounts/auth.ts";
import { can, type Action } from "#contract/accounts/policy.ts";

/** User of the back office. */
export const AdminUser = createContext<User | null>(null);

export type Can = (action: Action) => boolean;

/**
 * Returns whether the policy table allows an action to the user. Only for display: the server
 * decides.
 */
export function useCan(): Can {
  const user = useContext(AdminUser);
  return useCallback((action) => user !== null && can(user.role, action), [user]);
}
