import type { PageApi } from "../../contract/page-api.ts";
import { call, queryString } from "./http.ts";
import { listOf } from "./shape.ts";
import {
  feedListShape,
  midrollShape,
  publicSettingsShape,
  sitePageShape,
  taxonomyItemShape,
  trendingStatsShape,
  videoListShape,
  videoShape,
  videosShape,
} from "./wire-shapes.ts";

const segment = encodeURIComponent;

/** The pages' data in the browser: the same interface that the server fills with its services. */
export function createApiClient(): PageApi {
  return {
    publicSettings: () => call("/api/settings/public", publicSettingsShape),
    listVideos: (query) => call(`/api/videos${queryString(query)}`, videoListShape),
    getVideo: (slug) => call(`/api/videos/${segment(slug)}`, videoShape),
    listRelated: (slug) => call(`/api/videos/${segment(slug)}/related`, videosShape),
    midrollTimes: async (slug) =>
      (await call(`/api/videos/${segment(slug)}/midroll`, midrollShape)).config.times,
    trendingStats: (timeRange) =>
      call(`/api/trending/stats${queryString({ timeRange })}`, trendingStatsShape),
    listTaxonomy: (kind) => call(`/api/${kind}`, listOf(taxonomyItemShape)),
    getTaxonomy: (kind, slug) => call(`/api/${kind}/${segment(slug)}`, taxonomyItemShape),
    feedHead: async (slug) => {
      if (slug === null) return call("/api/feed", feedListShape);
      const [first, rest] = await Promise.all([
        call(`/api/videos/${segment(slug)}`, videoShape),
        call(`/api/feed${queryString({ shown: slug })}`, feedListShape),
      ]);
      const mark = rest.shown.find(({ id }) => id === first.id);
      return { ...rest, videos: [{ ...first, isFavorite: false, ...mark }, ...rest.videos] };
    },
    getSitePage: async (name) => (await call(`/api/pages/${name}`, sitePageShape)).html,
  };
}
