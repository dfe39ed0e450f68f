import { importFields } from "#contract/videos/imports.ts";
import { referralInput, referralPatch } from "#contract/visitors/referrals.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { ReferralsService } from "#server/features/referrals/referrals.service.ts";
import { cellOf, changesOf, readValues, type CsvFormat } from "./csv-format.ts";

const types = {
  code: "text",
  name: "text",
  target: "text",
  note: "optional",
  isActive: "boolean",
} as const;

/** Referral links. Rows match links by id or code. */
export function createReferralsCsv(referrals: ReferralsService): CsvFormat {
  const columns = [
    ...importFields.referrals,
    ...(["visits", "uniqueVisitors", "plays", "createdAt"] as const),
  ];
  return {
    columns,

    async *rows() {
      for (const item of await referrals.list(undefined)) {
        yield columns.map((name) => cellOf(item[name]));
      }
    },

    async begin() {
      const items = await referrals.list(undefined);
      const byId = new Map(items.map((item) => [item.id, item]));
      const byCode = new Map(items.map((item) => [item.code, item]));

      return async (fields) => {
        const patch = readValues(referralPatch, types, fields);
        const current = byId.get(fields["id"]?.trim() ?? "") ?? byCode.get(patch.code ?? "");
        if (current === undefined) {
          const input = readValues(referralInput, types, fields);
          return {
            outcome: "created",
            key: input.code,
            apply: async ({ actor }) => void (await referrals.create(input, actor)),
          };
        }
        const changes = changesOf(patch, current);
        if (changes.code !== undefined && byCode.has(changes.code)) {
          throw new AppError("conflict", `code: "${changes.code}" already exists`);
        }
        return {
          outcome: Object.keys(changes).length === 0 ? "unchanged" : "updated",
          key: current.id,
          apply: async ({ actor }) => void (await referrals.update(current.id, changes, actor)),
        };
      };
    },
  };
}
