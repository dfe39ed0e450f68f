import { z } from "zod";
import type { Db } from "#server/db/connection.ts";
import { defineJob, type AnyJobDefinition } from "#server/jobs/queue.ts";
import {
  suggestionList,
  suggestQuery,
  suggestionsMax,
  type Suggestion,
  type SuggestionList,
} from "#contract/lists/search.ts";
import type { Feature, App } from "#server/http/app.ts";
import type { WordsMatch } from "#server/features/videos/query/video-filter.sql.ts";
import { noteShown } from "#server/http/cache/shown-tags.ts";
import { createSearchService, type SearchService } from "./search.service.ts";
import {
  suggestLabels,
  suggestTitles,
  suggestTranslatedTitles,
  suggestVideos,
} from "./suggestions.repository.ts";

/** Number of suggestions reserved for titles. */
const minTitles = 4;

export function createSuggestionsService(deps: { db: Db; search: SearchService }) {
  const { db, search } = deps;

  /** Adds translated titles if few original ones contain the words. */
  async function titlesWith(match: WordsMatch): Promise<Suggestion[]> {
    const titles = await suggestTitles(db, match, suggestionsMax);
    if (titles.length >= minTitles) return titles;
    const others = await suggestTranslatedTitles(db, match, suggestionsMax);
    const known = new Set(titles.map(({ slug }) => slug));
    return [...titles, ...others.filter(({ slug }) => !known.has(slug))];
  }

  return {
    /** Returns labels, then titles, that start with the typed text. */
    async suggest(text: string): Promise<SuggestionList> {
      noteShown("labels", "videos");
      const match = await search.understand(text, "listed", { typed: 1 });
      if (match === null) return { suggestions: [] };
      if (match.kind === "titles") {
        return { suggestions: await suggestVideos(db, match.ids, suggestionsMax) };
      }
      const [labels, titles] = await Promise.all([
        suggestLabels(db, match.beginnings, suggestionsMax),
        titlesWith(match),
      ]);
      const shortened = labels.slice(0, suggestionsMax - Math.min(minTitles, titles.length));
      return { suggestions: [...shortened, ...titles].slice(0, suggestionsMax) };
    },
  };
}

type SuggestionsService = ReturnType<typeof createSuggestionsService>;

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
