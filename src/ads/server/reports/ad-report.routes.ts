import { adReport, reportQuery, sharedReport, sharedReportBody } from "../../contract/campaigns.ts";
import type { App } from "#server/http/app.ts";
import { adReportCsv } from "./ad-report-csv.ts";
import type { AdReports } from "./ad-report.service.ts";

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
