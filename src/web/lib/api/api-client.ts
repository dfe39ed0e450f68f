import { feedList } from "#contract/feed.ts";
import type { PageApi } from "#contract/page-api.ts";
import { commentList } from "#contract/comments.ts";
import { privacyFacts } from "#contract/privacy.ts";
import { takedownLog } from "#contract/reports.ts";
import { publicSettings, sitePage } from "#contract/settings.ts";
import { trendingStats } from "#contract/statistics.ts";
import { taxonomyItem, taxonomyList } from "#contract/taxonomy.ts";
import { midrollResponse, video, relatedList, videoList } from "#contract/videos.ts";
import { call, queryString } from "./http.ts";

const segment = encodeURIComponent;

/** `PageApi` over HTTP. The server implements the same interface with its services. */
export function createApiClient(): PageApi {
  return {
    publicSettings: () => call("/api/settings/public", publicSettings),
    listVideos: (query) => call(`/api/videos${queryString(query)}`, videoList),
    getVideo: (slug) => call(`/api/videos/${segment(slug)}`, video),
    getPrivateVideo: (secret) => call(`/api/private/${segment(secret)}`, video),
    listRelated: (slug) => call(`/api/videos/${segment(slug)}/related`, relatedList),
    midrollTimes: async (slug) =>
      (await call(`/api/videos/${segment(slug)}/midroll`, midrollResponse)).config.times,
    trendingStats: (timeRange) =>
      call(`/api/trending/stats${queryString({ timeRange })}`, trendingStats),
    listTaxonomy: (kind) => call(`/api/${kind}`, taxonomyList),
    getTaxonomy: (kind, slug) => call(`/api/${kind}/${segment(slug)}`, taxonomyItem),
    feedHead: async (slug) => {
      if (slug === null) return call("/api/feed", feedList);
      const [first, rest] = await Promise.all([
        call(`/api/videos/${segment(slug)}`, video),
        call(`/api/feed${queryString({ shown: slug })}`, feedList),
      ]);
      const mark = rest.shown.find(({ id }) => id === first.id);
      return {
        ...rest,
        videos: [{ ...first, isFavorite: false, why: null, ...mark }, ...rest.videos],
      };
    },
    listComments: (slug, cursor) =>
      call(`/api/videos/${segment(slug)}/comments${queryString({ cursor })}`, commentList),
    privacyFacts: () => call("/api/privacy", privacyFacts),
    takedownLog: () => call("/api/takedowns", takedownLog),
    getSitePage: async (name) => (await call(`/api/pages/${name}`, sitePage)).html,
  };
}
