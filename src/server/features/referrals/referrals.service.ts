import type {
  Referral,
  ReferralInput,
  ReferralPatch,
  ReferralStats,
} from "#contract/visitors/referrals.ts";
import type { PublishChanges } from "#server/db/change-tags.ts";
import type { Db, DbOrTrx, Trx } from "#server/db/connection.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import { isUuid, newId } from "#server/lib/ids.ts";
import { recordAudit, type Actor } from "#server/features/audit/audit.service.ts";
import * as repository from "./referrals.repository.ts";

const present = (row: repository.ReferralRow): Referral => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
});

export function createReferralsService(deps: { db: Db; clock: Clock; changed: PublishChanges }) {
  const { db, clock, changed } = deps;

  async function get(from: DbOrTrx, id: string): Promise<repository.ReferralRow> {
    const row = isUuid(id) ? await repository.findReferral(from, id) : null;
    if (row === null) throw new AppError("not_found", "Referral not found");
    return row;
  }

  const codeTakenError = (code: string) =>
    new AppError("conflict", `A referral link with the code "${code}" already exists.`);

  return {
    async list(search: string | undefined): Promise<Referral[]> {
      return (await repository.listReferrals(db, search)).map(present);
    },

    /** @throws AppError conflict if the code exists. */
    create(input: ReferralInput, actor: Actor): Promise<Referral> {
      return db.transaction().execute(async (trx) => {
        const id = newId(clock.now());
        const { name, code, target = "/", note = null, isActive = true } = input;
        const row = { id, name, code, target, note, isActive };
        if (!(await repository.insertReferral(trx, row))) throw codeTakenError(code);
        const entry = { entity: "referral", entityId: id, after: row };
        await recordAudit(trx, actor, { action: "referral.created", ...entry });
        return present(await get(trx, id));
      });
    },

    /** Campaigns for the link follow a new code. @throws AppError not_found, conflict. */
    async update(id: string, patch: ReferralPatch, actor: Actor): Promise<Referral> {
      const { item, isRenamed } = await db.transaction().execute(async (trx) => {
        if (isUuid(id)) await repository.lockReferral(trx, id);
        const before = await get(trx, id);
        const row = {
          id,
          name: patch.name ?? before.name,
          code: patch.code ?? before.code,
          target: patch.target ?? before.target,
          note: patch.note === undefined ? before.note : patch.note,
          isActive: patch.isActive ?? before.isActive,
        };
        if (!(await repository.updateReferral(trx, row))) throw codeTakenError(row.code);
        if (row.code !== before.code) {
          await repository.retargetCampaigns(trx, before.code, row.code);
        }
        const entry = { entity: "referral", entityId: id, before: present(before), after: row };
        await recordAudit(trx, actor, { action: "referral.updated", ...entry });
        return { item: present(await get(trx, id)), isRenamed: row.code !== before.code };
      });
      if (isRenamed) await changed(["ads"]);
      return item;
    },

    /** Deletes the referral and its counts. @throws AppError not_found. */
    async remove(id: string, actor: Actor): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const before = await get(trx, id);
        await repository.deleteReferral(trx, id);
        const entry = { entity: "referral", entityId: id, before: present(before) };
        await recordAudit(trx, actor, { action: "referral.deleted", ...entry });
      });
    },

    /** Returns visits, unique visitors and plays by day. @throws AppError not_found. */
    async stats(id: string, days: number): Promise<ReferralStats> {
      await get(db, id);
      return { days: await repository.listDays(db, id, days, clock.date()) };
    },

    /** Counts a visit. @returns false for a code that is unknown or inactive. */
    visit: (code: string, visitorId: string): Promise<boolean> =>
      repository.recordVisit(db, code, visitorId, clock.date()),
    /**
     * Counts one play for each of these visitors who came by a link, in the caller's transaction.
     */
    recordPlays: (trx: Trx, visitorIds: string[]): Promise<void> =>
      repository.recordPlays(trx, visitorIds, clock.date()),
  };
}

export type ReferralsService = ReturnType<typeof createReferralsService>;
