import type { User } from "#contract/accounts/auth.ts";
import { accountRoleOf, can, type AccountRole } from "#contract/accounts/policy.ts";
import type { Db, Trx } from "#server/db/connection.ts";
import type { Account } from "./account.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import { newId } from "#server/lib/ids.ts";
import { recordAudit, type Actor } from "#server/features/audit/audit.service.ts";
import * as repository from "./auth.repository.ts";
import { deleteInvitationsBy } from "./people/invitations.repository.ts";
import { hashPassword } from "./passwords.ts";
import type { SecondFactorsService } from "./second-factor/second-factors.service.ts";
import type { SessionsService } from "./sessions.service.ts";
import type { SignInLimiter } from "./sign-in-limiter.ts";

export interface NewUser {
  email: string;
  password: string;
  /** If empty, the part of the address before the @ is used. */
  name: string;
  role: AccountRole;
}

/** The operator's hashing goes ahead of sign-ins. */
const operatorTurn = { key: "operator", isFirst: true };

const environment: Actor = { user: { id: null, email: "environment" }, requestId: "start" };

/**
 * Inserts a user whose password is already hashed. Without an actor, the new user is the actor.
 * @throws AppError conflict if the address is taken.
 */
export async function insertUser(
  trx: Trx,
  input: Omit<NewUser, "password"> & { passwordHash: string; nowMs: number },
  actor: Actor | { requestId: string },
): Promise<Account> {
  const { email, passwordHash, name, role } = input;
  // The first administrator of a site is its owner.
  const isOwner = role === "OWNER" || (role === "ADMIN" && !(await repository.hasOwner(trx)));
  const user = await repository.insertUser(trx, {
    id: newId(input.nowMs),
    email: email.trim(),
    name: name.trim() || (email.split("@")[0] ?? email),
    role: role === "OWNER" ? "ADMIN" : role,
    isOwner,
    passwordHash,
  });
  if (user === null) throw new AppError("conflict", `An account for ${email} already exists.`);
  await recordAudit(
    trx,
    { user, ...actor },
    {
      action: "account.created",
      entity: "account",
      entityId: user.id,
      after: auditedAccount(user),
    },
  );
  return user;
}

export const auditedAccount = (user: User & { isOwner?: boolean }) => ({
  email: user.email,
  name: user.name,
  role: accountRoleOf(user),
});

/** @throws AppError forbidden if `by` may not manage accounts of this role. */
export function requireMayManage(by: Account, role: AccountRole): void {
  if (role === "OWNER" && !can(accountRoleOf(by), "owners.manage")) {
    throw new AppError("forbidden", "Only owners can manage owners.");
  }
}

/** @throws AppError conflict for the last owner. Owners stay locked until the transaction ends. */
export async function requireOtherOwner(trx: Trx, user: Account): Promise<void> {
  const owners = await repository.lockOwners(trx);
  if (owners.length === 1 && owners[0] === user.id) {
    throw new AppError(
      "conflict",
      `${user.email} is the only owner; make another user an owner first.`,
    );
  }
}

/**
 * Ends the invitations that a user may no longer send, and unassigns the reports that they may no
 * longer handle. `role` is null for a disabled user.
 */
export async function endDuties(trx: Trx, userId: string, role: AccountRole | null): Promise<void> {
  if (role === null || !can(role, "reports.handle")) {
    await repository.unassignReports(trx, userId);
  }
  const mayInvite = role !== null && can(role, "people.manage");
  if (mayInvite && can(role, "owners.manage")) return;
  await deleteInvitationsBy(trx, userId, mayInvite ? "owners" : "all");
}

/** Manages accounts. Every action is written to the audit log. */
export function createAccountsService(deps: {
  db: Db;
  clock: Clock;
  sessions: SessionsService;
  limiter: SignInLimiter;
  factors: SecondFactorsService;
}) {
  const { db, clock, sessions, limiter, factors } = deps;

  async function getUser(email: string) {
    const found = await repository.findUserByEmail(db, email.trim());
    if (found === null) throw new AppError("not_found", `No account found for ${email}.`);
    return found;
  }

  /**
   * Changes an account's credentials, ends its sessions and forgets its failed sign-ins.
   * @returns whether the account still can't sign in, because it is disabled.
   */
  async function resetSignIn(
    email: string,
    action: "account.password-reset" | "account.second-factors-removed",
    actor: Parameters<typeof recordAudit>[1],
    change: (trx: Trx, found: Awaited<ReturnType<typeof getUser>>) => Promise<void>,
  ): Promise<{ isDisabled: boolean }> {
    const found = await getUser(email);
    await db.transaction().execute(async (trx) => {
      // Waits for a session that is adding a passkey, which locks the user as well.
      await repository.lockPasswordForUpdate(trx, found.id);
      await change(trx, found);
      await sessions.endUserSessions(trx, found.id, "tokens too");
      await recordAudit(trx, actor, {
        action,
        entity: "account",
        entityId: found.id,
        after: auditedAccount(found),
      });
    });
    await limiter.reset(found.email);
    return { isDisabled: (await repository.findEnabledUser(db, found.id)) === null };
  }

  const service = {
    /** @throws AppError conflict if the address is taken. */
    async create({ password, ...input }: NewUser, actor: Actor): Promise<Account> {
      const passwordHash = await hashPassword(password, operatorTurn);
      return db
        .transaction()
        .execute((trx) => insertUser(trx, { ...input, passwordHash, nowMs: clock.now() }, actor));
    },

    /**
     * Signs the user out everywhere and clears their sign-in limits. @throws AppError not_found.
     */
    async resetPassword(email: string, password: string, actor: Actor) {
      const passwordHash = await hashPassword(password, operatorTurn);
      return resetSignIn(email, "account.password-reset", actor, (trx, { id }) =>
        repository.updatePassword(trx, id, passwordHash),
      );
    },

    /**
     * Removes every second factor and signs the user out everywhere. @throws AppError not_found.
     */
    resetSecondFactors: (email: string, actor: Actor) =>
      resetSignIn(email, "account.second-factors-removed", actor, (trx, { id }) =>
        factors.removeAll(trx, id),
      ),

    /** Signs the user out everywhere. @throws AppError not_found, conflict for the only owner. */
    async setRole(email: string, role: AccountRole, actor: Actor): Promise<void> {
      const found = await getUser(email);
      await db.transaction().execute(async (trx) => {
        if (role !== "OWNER") await requireOtherOwner(trx, found);
        const stored = {
          role: role === "OWNER" ? ("ADMIN" as const) : role,
          isOwner: role === "OWNER",
        };
        await repository.updateRole(trx, found.id, stored);
        await sessions.endUserSessions(trx, found.id, "sessions");
        await endDuties(trx, found.id, role);
        await recordAudit(trx, actor, {
          action: "account.role-changed",
          entity: "account",
          entityId: found.id,
          before: auditedAccount(found),
          after: auditedAccount({ ...found, ...stored }),
        });
      });
    },

    /** Signs the user out everywhere. @throws AppError not_found, conflict for the only owner. */
    async remove(email: string, actor: Actor): Promise<void> {
      const found = await getUser(email);
      await db.transaction().execute(async (trx) => {
        await requireOtherOwner(trx, found);
        await repository.deleteUser(trx, found.id);
        await recordAudit(trx, actor, {
          action: "account.removed",
          entity: "account",
          entityId: found.id,
          before: auditedAccount(found),
        });
      });
      await limiter.reset(found.email);
    },

    async list(actor: Actor): Promise<(Account & { createdAt: Date })[]> {
      await recordAudit(db, actor, {
        action: "account.listed",
        entity: "account",
        entityId: null,
      });
      return repository.listUsers(db);
    },

    /** Returns the names of back-office users. */
    listStaffNames: (): Promise<string[]> => repository.listStaffNames(db),

    /** Creates the owner configured in the environment, unless the site has an owner. */
    async ensureAdmin(email: string, password: string): Promise<"created" | "exists"> {
      // The account may have been renamed or removed since the first start.
      if (await repository.hasOwner(db)) return "exists";
      try {
        await service.create({ email, password, name: "", role: "OWNER" }, environment);
        return "created";
      } catch (error) {
        // Another process that started at the same time created it first.
        if (error instanceof AppError && error.code === "conflict") return "exists";
        throw error;
      }
    },
  };
  return service;
}

export type AccountsService = ReturnType<typeof createAccountsService>;
