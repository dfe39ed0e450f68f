import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { prefixOf } from "#contract/site/languages.ts";
import { limits } from "#contract/limits.ts";
import { queryInt } from "#contract/lists/paging.ts";
import { labelKinds, type LabelItem, type LabelKind } from "#contract/lists/labels.ts";
import { languageOfAddress } from "#contract/site/translated-pages.ts";
import { videoParams, type Video } from "#contract/videos/videos.ts";
import type { App } from "#server/http/app.ts";
import { targetOf } from "#server/http/request-target.ts";
import { AppError } from "#server/lib/app-error.ts";
import { visitorTexts } from "#server/lib/visitor-texts.ts";
import type { LabelsService } from "#server/features/labels/labels.service.ts";
import type { Podcasts } from "#server/features/podcasts/podcasts.service.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import type { ListsService } from "#server/features/videos/query/lists.service.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";
import { chaptersType, rssXml } from "./rss.ts";

interface Deps {
  settings: SettingsService;
  lists: ListsService;
  labels: LabelsService;
  videos: VideosService;
  podcasts: Podcasts;
}

const itemsPerPage = 50;
/** Maximum number of pages, because lists can't be read from later positions. */
const maxPages = limits.maxOffset / itemsPerPage;
const visitor = { isAdmin: false };
/** Artwork for podcasts of which no picture exists. */
const standardArtwork = "/podcast.png";

const rssQuery = z.object({
  /** Whether the episodes of a podcast are sound or video files. */
  type: z.enum(["audio", "video"], { error: "must be audio or video" }).optional(),
  page: queryInt(1, maxPages),
});

const chaptersJson = z.object({
  version: z.literal("1.2.0"),
  chapters: z.array(z.object({ startTime: z.number(), title: z.string() })),
});

/**
 * Returns the parts of a series on a page, in order. The first page has the last parts, so that apps
 * find new ones there.
 */
function planSeriesPage(count: number, offset: number) {
  const left = count - offset;
  const sort = "part" as const;
  return left > 0 && left < itemsPerPage
    ? { sort, offset: 0, limit: left }
    : { sort, offset: left > 0 ? left - itemsPerPage : count, limit: itemsPerPage };
}

/** Feeds of the site and of labels. Those that an admin switched on are podcasts. */
export function registerRssRoutes(
  app: App,
  { settings, lists, labels, videos, podcasts }: Deps,
): void {
  /** Responds in the language of the address, otherwise in the site's language. */
  async function sendRss(
    request: FastifyRequest<{ Querystring: z.infer<typeof rssQuery> }>,
    reply: FastifyReply,
    path: string,
    filter: Parameters<ListsService["list"]>[0],
    about: (LabelItem & { kind: LabelKind }) | null,
  ) {
    const [site, url, rules] = await Promise.all([
      settings.getPublic(),
      settings.siteUrl(),
      settings.current(),
    ]);
    const siteName = site.siteName ?? limits.defaultSiteName;
    const language = languageOfAddress(targetOf(request.raw).fullUrl) ?? site.language;
    const prefix = prefixOf(language, site.language);
    const pages = url + prefix;
    const { rss: texts } = visitorTexts(language);
    const { type, page = 1 } = request.query;
    const isPodcast = about === null ? rules.podcast : about.isPodcast;
    const offset = (page - 1) * itemsPerPage;
    const list = await lists.list(
      about?.isSeries === true
        ? { ...filter, ...planSeriesPage(about.videoCount, offset) }
        : { ...filter, sort: "newest", limit: itemsPerPage, offset },
      visitor,
    );
    const kind = type ?? "audio";
    const episodes = isPodcast
      ? await podcasts.findEpisodes(
          list.videos.map(({ id }) => id),
          kind,
        )
      : null;
    const addressOf = (number: number, place = pages + path) => {
      const query = new URLSearchParams([
        ...(type === undefined ? [] : [["type", type]]),
        ...(number === 1 ? [] : [["page", String(number)]]),
      ]);
      return `${place}/feed.rss${query.size === 0 ? "" : `?${query}`}`;
    };
    const hasNext = offset + itemsPerPage < list.total && page < maxPages;
    const xml = rssXml(
      {
        language,
        title: about === null ? siteName : `${about.name} - ${siteName}`,
        description:
          (about === null ? site.siteDescription : about.description) ??
          (about === null ? texts.newest : texts.newestOf(about.name)),
        siteUrl: url,
        pages,
        link: pages + (path === "" ? "/home" : path),
        self: addressOf(page),
        first: addressOf(1),
        next: hasNext ? addressOf(page + 1) : null,
        embedding: site.embedding,
        hasMedia: rules.mediaOnOtherSites || rules.mediaWithoutOrigin,
        podcast:
          episodes === null
            ? null
            : {
                kind,
                guidAddress: addressOf(1, await findGuidPage(about, url + path, prefix)),
                author: siteName,
                email: rules.podcastEmail,
                category: rules.podcastCategory,
                isSerial: about?.isSeries === true,
                artwork: url + ((await podcasts.findArtwork(about)) ?? standardArtwork),
                episodes,
              },
      },
      // A podcast has no items that are not episodes.
      episodes === null ? list.videos : list.videos.filter(({ id }) => episodes.has(id)),
    );
    // Web players on other sites read this response. It contains only public data.
    void reply.header("access-control-allow-origin", "*");
    return reply.type("application/rss+xml; charset=utf-8").send(xml);
  }

  /** Returns the first address of a podcast's page, in a language. */
  async function findGuidPage(
    about: { kind: LabelKind; id: string } | null,
    address: string,
    prefix: string,
  ) {
    const base = await podcasts.keepGuidBase(
      about === null
        ? { table: "settings", id: 1, address }
        : { table: about.kind, id: about.id, address },
    );
    const { origin } = new URL(base);
    return origin + prefix + base.slice(origin.length);
  }

  const options = {
    config: { policy: "public", cache: { ttlMs: 5000 } },
    schema: { hide: true, querystring: rssQuery },
  } as const;
  app.get("/feed.rss", options, (request, reply) => sendRss(request, reply, "", {}, null));
  for (const kind of labelKinds) {
    const filterName = { categories: "category", tags: "tag", actors: "actor" }[kind];
    app.get(
      `/${kind}/:slug/feed.rss`,
      {
        ...options,
        schema: { ...options.schema, params: z.object({ slug: z.string().min(1).max(200) }) },
      },
      async (request, reply) => {
        const label = await labels.get(kind, request.params.slug, false);
        return sendRss(
          request,
          reply,
          `/${kind}/${encodeURIComponent(label.slug)}`,
          { [filterName]: label.slug },
          { ...label, kind },
        );
      },
    );
  }

  app.get(
    "/api/videos/:id/chapters",
    {
      config: { policy: "public", cache: { ttlMs: 5000 }, allowsCrossOrigin: true },
      schema: {
        tags: ["videos"],
        summary: "Get a video's chapters as JSON of the Podcasting 2.0 namespace",
        params: videoParams,
      },
    },
    async (request, reply) => {
      const { chapters = [] }: Video = await videos.get(request.params.id, visitor);
      if (chapters.length === 0) throw new AppError("not_found", "This video has no chapters.");
      const body = chaptersJson.parse({
        version: "1.2.0",
        chapters: chapters.map(({ startS, title }) => ({ startTime: startS, title })),
      });
      // Web players on other sites read this response. It contains only public data.
      void reply.header("access-control-allow-origin", "*");
      return reply.type(chaptersType).send(JSON.stringify(body));
    },
  );
}
