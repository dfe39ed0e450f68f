import type { App } from "#server/http/app.ts";
import { byteOrderMark, csvLine } from "#server/lib/write-csv.ts";
import {
  adReport,
  reportQuery,
  sharedReport,
  sharedReportBody,
  type AdReport,
} from "../../contract/campaigns.ts";
import { clickThroughRate } from "../../contract/ad-rules.ts";
import { countNames, headOf } from "../records/ad-stats.repository.ts";
import type { AdReports } from "./ad-report.service.ts";

const requestNames = ["requests", "filled", "robotRequests"] as const;

/**
 * Returns one line per row of a report, safe to open in a spreadsheet. The columns are the same for
 * every kind of row and documented in docs/behaviour/ads.md: new ones are appended, and none may move.
 */
function adReportCsv({ rows }: AdReport): string {
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
  return byteOrderMark + [head, ...lines].map(csvLine).join("");
}

const tags = ["campaigns"];
const sharedDays = 30;

export function registerAdReportRoutes(app: App, { reports }: { reports: AdReports }): void {
  const config = { policy: "ads.read" } as const;

  app.get(
    "/api/ad-report",
    {
      config,
      schema: {
        tags,
        summary: "Get the ad report: reach and revenue",
        querystring: reportQuery,
        response: { 200: adReport },
      },
    },
    (request) => reports.read(request.query),
  );

  app.get(
    "/api/ad-report.csv",
    { config, schema: { tags, summary: "Download the report as CSV", querystring: reportQuery } },
    async (request, reply) =>
      reply
        .type("text/csv; charset=utf-8")
        .header("content-disposition", `attachment; filename="ad-report.csv"`)
        .header("cache-control", "no-store")
        .send(adReportCsv(await reports.read(request.query))),
  );

  // The key is in the body to keep it out of logs and the browser history.
  app.post(
    "/api/spots/shared-report",
    {
      config: { policy: "public" },
      schema: {
        tags,
        summary: "Get an advertiser's report by its secret URL",
        body: sharedReportBody,
        response: { 200: sharedReport },
      },
    },
    (request, reply) => {
      void reply.header("cache-control", "no-store");
      return reports.readShared(request.body.key, request.body.days ?? sharedDays);
    },
  );
}
