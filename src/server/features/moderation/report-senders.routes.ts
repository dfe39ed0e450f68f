import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { escapeHtml } from "#contract/escape-html.ts";
import { limits } from "#contract/limits.ts";
import type { App } from "#server/http/app.ts";
import { languageOfBrowser } from "#server/http/page-language.ts";
import { visitorTexts } from "#server/lib/visitor-texts.ts";
import { simplePage, simplePagePolicy } from "#server/features/restrictions/age-page.ts";
import { secretReferrerPolicy } from "#server/features/restrictions/restrictions.service.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import type { ReportSendersService } from "./report-senders.service.ts";

const tags = ["reports"];
const token = z.object({ token: z.string().min(1).max(100) });

/**
 * Page that the link in the first mail opens. A button confirms the address, because mail scanners
 * open links.
 */
export function registerReportSenderRoutes(
  app: App,
  deps: {
    senders: ReportSendersService;
    settings: SettingsService;
  },
): void {
  const { senders, settings } = deps;

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    write: (texts: ReturnType<typeof visitorTexts>["reportMail"]) => string,
  ): Promise<FastifyReply> {
    const { siteName, language: siteLanguage, pages } = await settings.getPublic();
    const language = languageOfBrowser(request) ?? siteLanguage;
    const texts = visitorTexts(language).reportMail;
    const page = {
      siteName: siteName ?? limits.defaultSiteName,
      language,
      siteLanguage,
      hasTerms: pages.includes("terms"),
    };
    return reply
      .headers({
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": simplePagePolicy("site"),
        "cache-control": "no-store",
        "referrer-policy": secretReferrerPolicy(request.raw),
      })
      .send(simplePage(page, texts.askTitle, write(texts)));
  }

  app.get(
    "/report-senders",
    {
      config: { policy: "public" },
      schema: {
        tags,
        summary: "Get the page that confirms the email address of a report",
        querystring: token,
      },
    },
    (request, reply) =>
      send(
        request,
        reply,
        (texts) => `<form method="post" action="/report-senders">
<input type="hidden" name="token" value="${escapeHtml(request.query.token)}">
<button value="yes">${escapeHtml(texts.confirm)}</button></form>`,
      ),
  );

  app.post(
    "/report-senders",
    {
      config: { policy: "public" },
      schema: { tags, summary: "Confirm the email address of a report", body: token },
    },
    async (request, reply) => {
      const isConfirmed = await senders.confirm(request.body.token);
      void reply.status(isConfirmed ? 200 : 404);
      return send(
        request,
        reply,
        (texts) => `<p>${escapeHtml(isConfirmed ? texts.confirmed : texts.expired)}</p>`,
      );
    },
  );
}
