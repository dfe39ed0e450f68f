import { accountRoleOf, can, type Action } from "#contract/accounts/policy.ts";
import type { DbOrTrx } from "#server/db/connection.ts";
import { findEnabledUser } from "./auth.repository.ts";

/** User who started a background job, as stored with the job. */
interface JobAuthor {
  created_by: string | null;
  created_by_email: string;
}

/**
 * Returns why a background job must stop: its author was removed or disabled, or lost the
 * permission. Returns null if it may continue.
 */
export async function findStopReason(
  db: DbOrTrx,
  { created_by: id, created_by_email: email }: JobAuthor,
  action: Action,
): Promise<string | null> {
  const user = id === null ? null : await findEnabledUser(db, id);
  if (user !== null && can(accountRoleOf(user), action)) return null;
  return `Stopped because ${email} no longer has permission for this. Changes made before that are saved.`;
}
