import { feedList } from "#contract/lists/feed.ts";
import { createPageCalls, type PageApi } from "#contract/site/page-api.ts";
import { call, queryString } from "./http.ts";

const calls = createPageCalls((response, path, query = {}) =>
  call(path + queryString(query), response),
);

/** Implements `PageApi` over HTTP. */
export const apiClient: PageApi = {
  ...calls,
  async feedHead(slug, steering) {
    if (slug === null) return call(`/api/feed${queryString(steering)}`, feedList);
    const [first, rest] = await Promise.all([
      calls.getVideo(slug),
      call(`/api/feed${queryString({ shown: slug, ...steering })}`, feedList),
    ]);
    const mark = rest.shown.find(({ id }) => id === first.id);
    return {
      ...rest,
      videos: [{ ...first, isFavorite: false, why: null, ...mark }, ...rest.videos],
    };
  },
};
