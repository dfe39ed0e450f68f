import type {
  Referral,
  ReferralInput,
  ReferralPatch,
  ReferralStats,
} from "#contract/visitors/referrals.ts";
import type { Db, DbOrTrx, Trx } from "#server/db/connection.ts";
import type { Actor } from "#server/lib/actor.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import { isUuid, newId } from "#server/lib/ids.ts";
import { recordAudit } from "#server/features/audit/audit.service.ts";
import * as repository from "./referrals.repository.ts";

export interface ReferralsService {
  list(search: string | undefined): Promise<Referral[]>;
  /** @throws AppError conflict if the code exists. */
  create(input: ReferralInput, actor: Actor): Promise<Referral>;
  /** @throws AppError not_found, conflict. */
  update(id: string, patch: ReferralPatch, actor: Actor): Promise<Referral>;
  /** Deletes the referral and its counts. @throws AppError not_found. */
  remove(id: string, actor: Actor): Promise<void>;
  /** Returns visits, unique visitors and plays by day. @throws AppError not_found. */
  stats(id: string, days: number): Promise<ReferralStats>;
  /** Counts a visit. @returns false for a code that is unknown or inactive. */
  visit(code: string, visitorId: string): Promise<boolean>;
  /** Counts one play for each of these visitors who came by a link, in the caller's transaction. */
  recordPlays(trx: Trx, visitorIds: string[]): Promise<void>;
}

const present = (row: repository.ReferralRow): Referral => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
});

export function createReferralsService(deps: { db: Db; clock: Clock }): ReferralsService {
  const { db, clock } = deps;

  async function get(from: DbOrTrx, id: string): Promise<repository.ReferralRow> {
    const row = isUuid(id) ? await repository.findReferral(from, id) : null;
    if (row === null) throw new AppError("not_found", "Referral not found");
    return row;
  }

  const taken = (code: string) =>
    new AppError("conflict", `A referral link with the code "${code}" already exists.`);

  return {
    async list(search) {
      return (await repository.listReferrals(db, search)).map(present);
    },

    create(input, actor) {
      return db.transaction().execute(async (trx) => {
        const id = newId(clock.now());
        const { name, code, target = "/", note = null, isActive = true } = input;
        const row = { id, name, code, target, note, isActive };
        if (!(await repository.insertReferral(trx, row))) throw taken(code);
        const entry = { entity: "referral", entityId: id, after: row };
        await recordAudit(trx, actor, { action: "referral.created", ...entry });
        return present(await get(trx, id));
      });
    },

    update(id, patch, actor) {
      return db.transaction().execute(async (trx) => {
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
        if (!(await repository.updateReferral(trx, row))) throw taken(row.code);
        const entry = { entity: "referral", entityId: id, before: present(before), after: row };
        await recordAudit(trx, actor, { action: "referral.updated", ...entry });
        return present(await get(trx, id));
      });
    },

    async remove(id, actor) {
      await db.transaction().execute(async (trx) => {
        const before = await get(trx, id);
        await repository.deleteReferral(trx, id);
        const entry = { entity: "referral", entityId: id, before: present(before) };
        await recordAudit(trx, actor, { action: "referral.deleted", ...entry });
      });
    },

    async stats(id, days) {
      await get(db, id);
      return { days: await repository.listDays(db, id, days, clock.date()) };
    },

    visit: (code, visitorId) => repository.recordVisit(db, code, visitorId, clock.date()),
    recordPlays: (trx, visitorIds) => repository.recordPlays(trx, visitorIds, clock.date()),
  };
}
