import { feedList } from "#contract/lists/feed.ts";
import { pageEndpoints, type PageApi, type PageEndpoint } from "#contract/site/page-api.ts";
import { call, queryString } from "./http.ts";

const send = ({ address, response }: PageEndpoint) =>
  function sendCall(...args: never[]): Promise<unknown> {
    const { path, query = {} } = address(...args);
    return call(path + queryString(query), response);
  };

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `PageApi` has this type by definition
const calls = Object.fromEntries(
  Object.entries(pageEndpoints).map(([name, endpoint]) => [name, send(endpoint)]),
) as unknown as Omit<PageApi, "feedHead">;

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
