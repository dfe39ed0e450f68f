import { suggestionList, suggestQuery } from "#contract/lists/search.ts";
import type { App } from "#server/http/app.ts";
import type { SuggestionsService } from "./suggestions.service.ts";

export function registerSearchRoutes(app: App, deps: { suggestions: SuggestionsService }): void {
  app.get(
    "/api/search/suggest",
    {
      config: { policy: "public", cache: { ttlMs: 5000 } },
      schema: {
        tags: ["search"],
        summary: "Suggest titles, tags, actors and categories for the typed text",
        querystring: suggestQuery,
        response: { 200: suggestionList },
      },
    },
    async (request) => {
      const { q } = request.query;
      return q === undefined ? { suggestions: [] } : deps.suggestions.suggest(q);
    },
  );
}
