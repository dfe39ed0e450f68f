import { adIssues } from "#ads/contract/ad-rules.ts";
import type { Ad } from "#ads/contract/ads.ts";
import { adInput, adPatch } from "#ads/contract/ads.input.ts";
import { importFields } from "#contract/videos/imports.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { AdsFeature } from "#ads/server/ads.feature.ts";
import { cellOf, changesOf, readValues, type CsvFormat } from "./csv-format.ts";

const types = {
  title: "text",
  description: "optional",
  type: "text",
  placement: "text",
  content: "optional",
  imageUrl: "optional",
  linkUrl: "optional",
  vastTagUrl: "optional",
  startDate: "optional",
  endDate: "optional",
  isActive: "boolean",
  trust: "text",
  widthPx: "limit",
  heightPx: "limit",
  weight: "number",
  visitorDailyCap: "limit",
  dailyLimit: "limit",
  totalLimit: "limit",
  hasEvenPacing: "boolean",
  isHouse: "boolean",
  targetCategories: "list",
  targetDevices: "list",
  targetLanguages: "list",
  origins: "list",
  ignoresBreakRules: "boolean",
  isBumper: "boolean",
} as const;

const pageSize = 500;

/** Ads. Rows match ads by id. A row without a known id creates an ad. */
export function createAdsCsv(ads: AdsFeature["ads"]): CsvFormat {
  const columns = [
    ...importFields.ads,
    ...(["impressionCount", "clickCount", "ctr", "createdAt"] as const),
  ];
  return {
    columns,

    async *rows() {
      for (let offset = 0; ; offset += pageSize) {
        const { ads: page } = await ads.list({ limit: pageSize, offset });
        for (const ad of page) yield columns.map((name) => cellOf(ad[name]));
        if (page.length < pageSize) return;
      }
    },

    async begin() {
      return async (fields, targetId) => {
        const current = (await ads.find(fields["id"]?.trim() ?? "")) ?? (await ads.find(targetId));
        if (current === null) {
          const input = readValues(adInput, types, fields);
          return {
            outcome: "created",
            key: null,
            apply: async ({ actor }) => void (await ads.create(input, actor, { id: targetId })),
          };
        }
        const changes = changesOf(readValues(adPatch, types, fields), current);
        requireValid({ ...current, ...changes });
        return {
          outcome: Object.keys(changes).length === 0 ? "unchanged" : "updated",
          key: current.id,
          apply: async ({ actor }) => void (await ads.update(current.id, changes, actor)),
        };
      };
    },
  };
}

function requireValid(ad: Ad): void {
  const [issue] = adIssues(ad);
  if (issue !== undefined) throw new AppError("invalid", `${issue.path}: ${issue.message}`);
}
