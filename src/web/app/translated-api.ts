import type { PageApi } from "#contract/site/page-api.ts";
import type { Translations } from "#contract/videos/translations.ts";
import { translated } from "#web/lib/language/translated.ts";

/** Drops the texts in other languages, which the page doesn't need. */
function inOneLanguage<T extends { translations?: Translations | undefined }>(video: T): T {
  if (video.translations === undefined) return video;
  const { translations: _others, ...rest } = translated(video);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the field is optional
  return rest as T;
}

/** Returns the data of pages, with titles and descriptions in the language of the page. */
export function createTranslatedApi(api: PageApi): PageApi {
  const list = async <T extends { videos: { translations?: Translations | undefined }[] }>(
    read: Promise<T>,
  ): Promise<T> => {
    const found = await read;
    return { ...found, videos: found.videos.map(inOneLanguage) };
  };
  return {
    ...api,
    listVideos: (query) => list(api.listVideos(query)),
    feedHead: (slug) => list(api.feedHead(slug)),
    getVideo: async (slug) => inOneLanguage(await api.getVideo(slug)),
    getPrivateVideo: async (secret) => inOneLanguage(await api.getPrivateVideo(secret)),
    trendingStats: async (range) => {
      const stats = await api.trendingStats(range);
      return {
        ...stats,
        topVideo: stats.topVideo === null ? null : inOneLanguage(stats.topVideo),
      };
    },
    listRelated: async (slug) => (await api.listRelated(slug)).map(inOneLanguage),
  };
}
