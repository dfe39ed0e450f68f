import { adParams } from "../../contract/ads.ts";
import {
  endedReportMail,
  endReportMailBody,
  reportMailInput,
  reportMailList,
  reportMailResponse,
} from "../../contract/report-mails.ts";
import { actorOf } from "#server/http/access/actor.ts";
import type { App } from "#server/http/app.ts";
import type { ReportMailsService } from "./report-mails.service.ts";

const tags = ["campaigns"];

export function registerReportMailRoutes(
  app: App,
  { reportMails }: { reportMails: ReportMailsService },
): void {
  // Contains other people's addresses, so only users who may edit them can read them.
  const config = { policy: "ads.approve" } as const;

  app.get(
    "/api/report-mails",
    {
      config,
      schema: { tags, summary: "Reports that are sent by mail", response: { 200: reportMailList } },
    },
    () => reportMails.list(),
  );

  app.post(
    "/api/report-mails",
    {
      config,
      schema: {
        tags,
        summary: "Send a report by mail each day, week or month",
        body: reportMailInput,
        response: { 201: reportMailResponse },
      },
    },
    async (request, reply) =>
      reply.status(201).send(await reportMails.add(request.body, actorOf(request))),
  );

  app.delete(
    "/api/report-mails/:id",
    { config, schema: { tags, summary: "Send a report no more", params: adParams } },
    async (request, reply) => {
      await reportMails.remove(request.params.id, actorOf(request));
      return reply.status(204).send();
    },
  );

  // The key is in the body to keep it out of logs and the browser history.
  app.post(
    "/api/report-mails/end",
    {
      config: { policy: "public" },
      schema: {
        tags,
        summary: "End the mails of a report, for the recipient who has the address",
        body: endReportMailBody,
        response: { 200: endedReportMail },
      },
    },
    (request, reply) => {
      void reply.header("cache-control", "no-store");
      return reportMails.endFor(request.body.key);
    },
  );
}
