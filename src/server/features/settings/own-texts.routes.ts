import {
  ownTextBody,
  siteText,
  siteTextParams,
  siteTexts,
  siteTextsQuery,
} from "#contract/site/own-texts.ts";
import { actorOf } from "#server/http/access/actor.ts";
import type { App } from "#server/http/app.ts";
import type { OwnTextsService } from "./own-texts.service.ts";

export function registerOwnTextRoutes(app: App, ownTexts: OwnTextsService): void {
  app.get(
    "/api/admin/texts",
    {
      config: { policy: "settings.edit" },
      schema: {
        tags: ["settings"],
        summary: "List the texts of the public pages in a language, with the operator's own",
        querystring: siteTextsQuery,
        response: { 200: siteTexts },
      },
    },
    (request) => ownTexts.list(request.query.language),
  );

  app.put(
    "/api/admin/texts/:language/:id",
    {
      config: { policy: "settings.edit" },
      schema: {
        tags: ["settings"],
        summary: "Replace a text of the public pages; null restores the standard text",
        params: siteTextParams,
        body: ownTextBody,
        response: { 200: siteText },
      },
    },
    (request) => ownTexts.save(request.params, request.body.text, actorOf(request)),
  );
}
