import type { FastifyReply, FastifyRequest } from "fastify";
import { filedReport, reportBody, takedownBody, takedownLog } from "#contract/visitors/reports.ts";
import { videoParams } from "#contract/videos/videos.ts";
import type { Visitors } from "#server/http/access/visitors.ts";
import { languageOfSender, pageForSender } from "#server/http/page-language.ts";
import type { App } from "#server/http/app.ts";
import { AppError } from "#server/lib/app-error.ts";
import { isFormPost } from "#server/features/auth/form-post.ts";
import type { NewReportsService } from "./new-reports.service.ts";

const tags = ["reports"];
/** Forms percent-encode text, which makes text in other scripts up to nine times as long. */
const bodyLimit = 64 * 1024;

/**
 * Routes for sending reports and reading the log. The forms work without scripts and get a
 * redirect.
 */
export function registerPublicReportRoutes(
  app: App,
  deps: { reports: NewReportsService; visitors: Visitors },
): void {
  const { reports, visitors } = deps;

  const senderOf = (request: FastifyRequest) => ({
    addressKey: visitors.addressKey(request),
    addressGroup: visitors.addressGroupKey(request),
    language: languageOfSender(request),
  });

  async function respond(
    request: FastifyRequest,
    reply: FastifyReply,
    { page, file }: { page: string; file: () => Promise<string> },
  ): Promise<void> {
    try {
      // Forms redirect back to their page, even for invalid input.
      if (request.validationError !== undefined) throw request.validationError;
      const reference = await file();
      if (isFormPost(request)) await reply.redirect(`${pageForSender(request, page)}?sent=1`, 303);
      else await reply.status(201).send({ reference });
    } catch (error) {
      const isInvalid = error === request.validationError;
      if (!isFormPost(request) || !(isInvalid || error instanceof AppError)) throw error;
      const code = error instanceof AppError ? error.code : "invalid";
      await reply.redirect(`${pageForSender(request, page)}?error=${code}`, 303);
    }
  }

  app.post(
    "/api/videos/:id/reports",
    {
      config: { policy: "public" },
      bodyLimit,
      attachValidation: true,
      schema: {
        tags,
        summary: "Report a video",
        params: videoParams,
        body: reportBody,
        response: { 201: filedReport },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      await respond(request, reply, {
        page: `/report/${encodeURIComponent(id)}`,
        file: () => reports.report(id, request.body, senderOf(request)),
      });
    },
  );

  app.post(
    "/api/takedowns",
    {
      config: { policy: "public" },
      bodyLimit,
      attachValidation: true,
      schema: {
        tags,
        summary: "Send a legal takedown notice",
        body: takedownBody,
        response: { 201: filedReport },
      },
    },
    async (request, reply) => {
      await respond(request, reply, {
        page: "/takedown",
        file: () => reports.takeDown(request.body, senderOf(request)),
      });
    },
  );

  app.get(
    "/api/takedowns",
    {
      config: { policy: "public", cache: { ttlMs: 5000 } },
      schema: {
        tags,
        summary: "List takedown notices that led to a removal, if the site publishes them",
        response: { 200: takedownLog },
      },
    },
    () => reports.listLog(),
  );
}
