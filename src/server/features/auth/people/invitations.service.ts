import type { Invitation, InvitationBody } from "#contract/accounts/people.ts";
import { accountRoleOf } from "#contract/accounts/policy.ts";
import type { Db } from "#server/db/connection.ts";
import type { SignedInUser } from "#server/http/access/policy.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import { isUuid, newId, newLinkToken, sha256 } from "#server/lib/ids.ts";
import { recordAudit } from "#server/features/audit/audit.service.ts";
import { insertUser, requireMayManage } from "../accounts.service.ts";
import * as accounts from "../auth.repository.ts";

import { requireUncommon, hashPassword } from "../passwords.ts";
import {
  requireSession,
  type SessionOrigin,
  type SessionsService,
  type SignedIn,
} from "../sessions.service.ts";
import * as repository from "./invitations.repository.ts";

const validMs = 7 * 24 * 3600 * 1000;

const badLink = () => new AppError("forbidden", "This invitation has expired. Ask for a new one.");

export function createInvitationsService(deps: {
  db: Db;
  clock: Clock;
  sessions: SessionsService;
}) {
  const { db, clock, sessions } = deps;

  async function get(token: string) {
    const found = await repository.findInvitation(db, sha256(token), clock.date());
    if (found === null) throw badLink();
    return found;
  }

  return {
    /**
     * Creates an invitation and replaces an earlier one for the same address.
     * @returns the token of its link, which is stored only as a hash.
     * @throws AppError conflict if the address has an account; forbidden.
     */
    async invite(
      { email: given, role }: InvitationBody,
      by: SignedInUser,
      requestId: string,
    ): Promise<{ invitation: Invitation; token: string }> {
      requireMayManage(by, role);
      const email = given.trim();
      const token = newLinkToken();
      const row = {
        id: newId(clock.now()),
        email,
        role: role === "OWNER" ? ("ADMIN" as const) : role,
        isOwner: role === "OWNER",
        createdAt: clock.date(),
        expiresAt: new Date(clock.now() + validMs),
      };
      await db.transaction().execute(async (trx) => {
        await requireSession(trx, by);
        if ((await accounts.findUserByEmail(trx, email)) !== null) {
          throw new AppError("conflict", `An account for ${email} already exists.`);
        }
        // Replacing an invitation ends it. Only owners may end an invitation to become an owner.
        const replaced = await repository.lockInvitationFor(trx, email);
        if (replaced !== null) requireMayManage(by, accountRoleOf(replaced));
        await repository.replaceInvitation(trx, {
          ...row,
          invitedBy: by.id,
          tokenHash: sha256(token),
        });
        await recordAudit(
          trx,
          { user: by, requestId },
          {
            action: "account.invited",
            entity: "account",
            entityId: row.id,
            after: { email, role },
          },
        );
      });
      return { invitation: presentInvitation({ ...row, invitedBy: by.email }), token };
    },

    /** @throws AppError not_found, forbidden. */
    async revoke(id: string, by: SignedInUser, requestId: string): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const row = isUuid(id) ? await repository.deleteInvitation(trx, id) : null;
        if (row === null) throw new AppError("not_found", "Invitation not found.");
        requireMayManage(by, accountRoleOf(row));
        await recordAudit(
          trx,
          { user: by, requestId },
          {
            action: "account.invitation-revoked",
            entity: "account",
            entityId: id,
            before: { email: row.email, role: accountRoleOf(row) },
          },
        );
      });
    },

    /**
     * Returns the address and role that a link offers.
     * @throws AppError forbidden for a link that is invalid, used or expired.
     */
    async open(token: string): Promise<Pick<Invitation, "email" | "role">> {
      const row = await get(token);
      return { email: row.email, role: accountRoleOf(row) };
    },

    /** Creates the account and signs in. @throws AppError like `open`; conflict. */
    async accept(
      { token, name, password }: { token: string; name: string; password: string },
      from: SessionOrigin & { addressKey: string },
    ): Promise<SignedIn> {
      // Hashing is expensive, so it runs after the check that fails without a valid link.
      const { email } = await get(token);
      await requireUncommon(password, email);
      const passwordHash = await hashPassword(password, { key: from.addressKey, isFirst: true });
      return db.transaction().execute(async (trx) => {
        const row = await repository.takeInvitation(trx, sha256(token), clock.date());
        if (row === null) throw badLink();
        const input = {
          email: row.email,
          name,
          passwordHash,
          nowMs: clock.now(),
          role: accountRoleOf(row),
        };
        const user = await insertUser(trx, input, { requestId: from.requestId });
        return { user, token: await sessions.open(trx, user, from) };
      });
    },
  };
}

export type InvitationsService = ReturnType<typeof createInvitationsService>;

export const presentInvitation = (row: repository.InvitationRow): Invitation => ({
  id: row.id,
  email: row.email,
  role: accountRoleOf(row),
  invitedBy: row.invitedBy,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
});
