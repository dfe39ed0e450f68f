import { feedList } from "#contract/lists/feed.ts";
import type { PageApi } from "#contract/site/page-api.ts";
import { commentList } from "#contract/visitors/comments.ts";
import { privacyFacts } from "#contract/visitors/privacy.ts";
import { takedownLog } from "#contract/visitors/reports.ts";
import { publicSettings, sitePage } from "#contract/site/settings.ts";
import { trendingStats } from "#contract/lists/statistics.ts";
import { labelItem, labelList } from "#contract/lists/labels.ts";
import { midrollResponse, video, relatedList, videoList } from "#contract/videos/videos.ts";
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
    listLabel: (kind) => call(`/api/${kind}`, labelList),
    getLabel: (kind, slug) => call(`/api/${kind}/${segment(slug)}`, labelItem),
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
