import type { Db } from "#server/db/connection.ts";
import type { Feature } from "#server/http/feature.ts";
import { createSearchJob } from "./search.jobs.ts";
import { registerSearchRoutes } from "./search.routes.ts";
import { createSearchService, type SearchService } from "./search.service.ts";
import { createSuggestionsService } from "./suggestions.service.ts";

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
