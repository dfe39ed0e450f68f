import { z } from "zod";
import type { Db } from "#server/db/connection.ts";
import { defineJob, type AnyJobDefinition } from "#server/jobs/queue.ts";
import { suggestionList, suggestQuery } from "#contract/lists/search.ts";
import type { Feature, App } from "#server/http/app.ts";
import { createSearchService, type SearchService } from "./search.service.ts";
import { createSuggestionsService, type SuggestionsService } from "./suggestions.service.ts";

function registerSearchRoutes(app: App, deps: { suggestions: SuggestionsService }): void {
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

/** Writes the search documents of videos that changed in bulk. Runs once a minute. */
function createSearchJob(deps: { search: SearchService }): AnyJobDefinition {
  return defineJob({
    name: "search.upkeep",
    payload: z.object({}),
    concurrency: 1,
    schedule: { cron: "* * * * *", runsAtStart: true },
    run: (_payload, { signal }) => deps.search.refreshStale(signal),
  });
}

export function createSearchFeature(deps: {
  db: Db;
  reads: Db;
}): Feature & { search: SearchService } {
  const search = createSearchService(deps);
  const suggestions = createSuggestionsService({ db: deps.reads, search });
  return {
    search,
    registerRoutes: (app) => registerSearchRoutes(app, { suggestions }),
    jobs: [createSearchJob({ search })],
  };
}
