import type { PageApi } from "#contract/site/page-api.ts";

/**
 * Returns the browser's API client, loaded with the first navigation that needs it: the first page
 * contains its data.
 */
function createLazyApi(): PageApi {
  let loading: Promise<PageApi> | undefined;
  const api = (): Promise<PageApi> => {
    loading ??= import("./api-client.ts").then(
      (module) => module.createApiClient(),
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  return {
    publicSettings: async () => (await api()).publicSettings(),
    listVideos: async (query) => (await api()).listVideos(query),
    getVideo: async (slug) => (await api()).getVideo(slug),
    getPrivateVideo: async (secret) => (await api()).getPrivateVideo(secret),
    listRelated: async (slug) => (await api()).listRelated(slug),
    midrollTimes: async (slug) => (await api()).midrollTimes(slug),
    trendingStats: async (range) => (await api()).trendingStats(range),
    listLabel: async (kind) => (await api()).listLabel(kind),
    getLabel: async (kind, slug) => (await api()).getLabel(kind, slug),
    feedHead: async (slug) => (await api()).feedHead(slug),
    getSitePage: async (name) => (await api()).getSitePage(name),
    listComments: async (slug, cursor) => (await api()).listComments(slug, cursor),
    privacyFacts: async () => (await api()).privacyFacts(),
    takedownLog: async () => (await api()).takedownLog(),
  };
}

/** For components that request more than their loader returned. */
export const browserApi: PageApi = createLazyApi();
