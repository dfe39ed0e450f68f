import type { AccountSession, People, Person, PersonPatch } from "#contract/accounts/people.ts";
import { accountRoleOf } from "#contract/accounts/policy.ts";
import type { Db, Trx } from "#server/db/connection.ts";
import type { SignedInUser } from "#server/http/access/policy.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import { isUuid } from "#server/lib/ids.ts";
import { recordAudit, type Actor } from "#server/features/audit/audit.service.ts";
import {
  auditedAccount,
  endDuties,
  requireMayManage,
  requireOtherOwner,
} from "../accounts.service.ts";
import * as accounts from "../auth.repository.ts";
import { requireSession, type SessionsService } from "../sessions.service.ts";
import * as invitations from "./invitations.repository.ts";
import { presentInvitation } from "./invitations.service.ts";
import * as repository from "./people.repository.ts";

const notFound = () => new AppError("not_found", "User not found.");

/** Manages back-office users. */
export function createPeopleService(deps: { db: Db; clock: Clock; sessions: SessionsService }) {
  const { db, clock, sessions } = deps;

  /** Locks the owners first, always in the same order, then the user. */
  async function getManaged(trx: Trx, id: string, by: SignedInUser): Promise<repository.PersonRow> {
    await accounts.lockOwners(trx);
    const found = isUuid(id) ? await repository.lockPerson(trx, id) : null;
    await requireSession(trx, by);
    if (found === null) throw notFound();
    requireMayManage(by, accountRoleOf(found));
    return found;
  }

  async function getPerson(id: string): Promise<Person> {
    const found = (await repository.listPeople(db, clock.date())).find((row) => row.id === id);
    if (found === undefined) throw notFound();
    return presentPerson(found);
  }

  return {
    async list(): Promise<Omit<People, "sendsMail">> {
      const [people, open] = await Promise.all([
        repository.listPeople(db, clock.date()),
        invitations.listInvitations(db),
      ]);
      return { people: people.map(presentPerson), invitations: open.map(presentInvitation) };
    },

    /**
     * Changes the role, or disables or enables the user. All of these end the user's sessions.
     * @throws AppError not_found; forbidden for owners unless an owner acts; conflict for the last
     * owner.
     */
    async change(
      id: string,
      { role: wanted, isDisabled }: PersonPatch,
      by: SignedInUser,
      requestId: string,
    ): Promise<Person> {
      await db.transaction().execute(async (trx) => {
        const found = await getManaged(trx, id, by);
        const role = wanted ?? accountRoleOf(found);
        requireMayManage(by, role);
        const disabledAt =
          isDisabled === undefined
            ? found.disabledAt
            : isDisabled
              ? (found.disabledAt ?? clock.date())
              : null;
        const isSame =
          role === accountRoleOf(found) && (disabledAt === null) === (found.disabledAt === null);
        if (isSame) return;
        if (role !== "OWNER" || disabledAt !== null) await requireOtherOwner(trx, found);
        const after = {
          ...found,
          role: role === "OWNER" ? ("ADMIN" as const) : role,
          isOwner: role === "OWNER",
          disabledAt,
        };
        await repository.updatePerson(trx, id, after);
        // If the account is enabled again later, its tokens must not become valid again.
        await sessions.endUserSessions(trx, id, disabledAt === null ? "sessions" : "tokens too");
        await endDuties(trx, id, disabledAt === null ? role : null);
        const describe = (row: repository.PersonRow) => ({
          ...auditedAccount(row),
          isDisabled: row.disabledAt !== null,
        });
        await recordAudit(
          trx,
          { user: by, requestId },
          {
            action:
              (disabledAt === null) === (found.disabledAt === null)
                ? "account.role-changed"
                : disabledAt === null
                  ? "account.enabled"
                  : "account.disabled",
            entity: "account",
            entityId: id,
            before: describe(found),
            after: describe(after),
          },
        );
      });
      return getPerson(id);
    },

    /** @throws AppError like `change`. */
    async remove(id: string, by: SignedInUser, requestId: string): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const found = await getManaged(trx, id, by);
        await requireOtherOwner(trx, found);
        await accounts.deleteUser(trx, id);
        await recordAudit(
          trx,
          { user: by, requestId },
          {
            action: "account.removed",
            entity: "account",
            entityId: id,
            before: auditedAccount(found),
          },
        );
      });
    },

    async listSessions(id: string): Promise<AccountSession[]> {
      if (!isUuid(id)) throw notFound();
      return sessions.listOf(id, null);
    },

    /** Ends one session, or all if null. @throws AppError like `change`. */
    async endSessions(
      id: string,
      sessionId: string | null,
      by: SignedInUser,
      requestId: string,
    ): Promise<void> {
      const actor: Actor = { user: by, requestId };
      await db.transaction().execute(async (trx) => {
        const found = await getManaged(trx, id, by);
        await sessions.end(trx, found, sessionId, actor);
      });
    },
  };
}

export type PeopleService = ReturnType<typeof createPeopleService>;

const presentPerson = (row: repository.PersonRow & { sessions: number }): Person => ({
  id: row.id,
  email: row.email,
  name: row.name,
  role: accountRoleOf(row),
  createdAt: row.createdAt.toISOString(),
  lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
  isDisabled: row.disabledAt !== null,
  sessions: row.sessions,
});
