import { clickThroughRate } from "../../contract/ad-rules.ts";
import type { AdReport } from "../../contract/campaigns.ts";
import { csvLine } from "#server/lib/csv/write-csv.ts";
import { countNames, headOf } from "../records/ad-stats.repository.ts";

const requestNames = ["requests", "filled", "robotRequests"] as const;

/**
 * Returns one line per row of a report, safe to open in a spreadsheet. The columns are the same for
 * every kind of row and documented in docs/behaviour/ads.md: new ones are appended, and none may move.
 */
export function adReportCsv({ rows }: AdReport): string {
  const head = [
    ...["key", "name", "campaign", "advertiser", ...[...requestNames, ...countNames].map(headOf)],
    ...["ctr_percent", "revenue", "ecpm"],
  ];
  const lines = rows.map((row) => [
    ...[row.key, row.name, row.campaign ?? "", row.advertiser ?? ""],
    ...requestNames.map((name) => String(row[name] ?? "")),
    ...countNames.map((name) => String(row[name])),
    clickThroughRate(row.clicks, row.impressions).toFixed(2),
    row.revenue.map(({ amount, currency }) => `${amount.toFixed(2)} ${currency}`).join(" + "),
    row.revenue.map(({ ecpm, currency }) => `${ecpm.toFixed(2)} ${currency}`).join(" + "),
  ]);
  return [head, ...lines].map(csvLine).join("");
}
