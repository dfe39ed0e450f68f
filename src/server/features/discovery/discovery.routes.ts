import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { prefixOf, type Language } from "#contract/site/languages.ts";
import { embeddersOf } from "#contract/site/embedding.ts";
import { limits } from "#contract/limits.ts";
import { queryInt } from "#contract/lists/paging.ts";
import { labelKinds } from "#contract/lists/labels.ts";
import { languageOfAddress, directionOf } from "#contract/site/translated-pages.ts";
import type { App, HttpCore } from "#server/http/app.ts";
import { targetOf } from "#server/http/request-target.ts";
import type { Clock } from "#server/lib/clock.ts";
import { visitorTexts } from "#server/lib/visitor-texts.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { LabelsService } from "#server/features/labels/labels.service.ts";
import type { ListsService } from "#server/features/videos/query/lists.service.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";
import type { Video } from "#contract/videos/videos.ts";
import { shorten } from "#contract/text.ts";
import type { PublicSettings } from "#contract/site/settings.ts";
import { oEmbedXml, presentOEmbed, videoOfAddress } from "./oembed.ts";
import { robotsText } from "./robots.ts";
import type { SitemapService } from "./sitemap.service.ts";
import { element, escapeXml } from "./xml.ts";

/** Number of characters that launchers show below an icon. */
const shortNameLength = 12;

/** Shortens a name without an ellipsis, because launchers add their own. */
const shortName = (name: string) => shorten(name, shortNameLength + 1).replace(/…$/, "");

/** Returns the W3C Web Application Manifest that lets browsers install the site as an app. */
export function webManifest(
  settings: Pick<PublicSettings, "siteName" | "siteDescription" | "language">,
) {
  const name = settings.siteName ?? limits.defaultSiteName;
  const { app } = visitorTexts(settings.language);
  return {
    id: "/",
    lang: settings.language,
    dir: directionOf(settings.language),
    name,
    short_name: shortName(name),
    ...(settings.siteDescription === null ? {} : { description: settings.siteDescription }),
    start_url: "/",
    scope: "/",
    display: "standalone",
    background_color: "#0d0e12",
    theme_color: "#0d0e12",
    icons: [
      { src: "/icon.svg", sizes: "any", type: "image/svg+xml" },
      { src: "/icon-192.png", sizes: "192x192", type: "image/png" },
      { src: "/icon-512.png", sizes: "512x512", type: "image/png" },
      {
        src: "/icon-maskable-512.png",
        sizes: "512x512",
        type: "image/png",
        purpose: "maskable",
      },
    ],
    shortcuts: [
      { name: app.feed, url: "/feed" },
      { name: app.search, url: "/search" },
      { name: app.favorites, url: "/favorites" },
    ],
  };
}

interface RssChannel {
  title: string;
  description: string;
  /** Page that shows the same videos. `self` is the address of the feed itself. */
  link: string;
  language: Language;
  /** Prefix of page paths in this language. */
  pages: string;
  self: string;
}

/** Renders RSS 2.0 with the elements of Media RSS (rssboard.org/media-rss). */
function rssXml(channel: RssChannel, videos: readonly Video[], siteUrl: string): string {
  const latest = videos.reduce<string | null>(
    (last, { publishedAt }) =>
      publishedAt !== null && publishedAt > (last ?? "") ? publishedAt : last,
    null,
  );
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/" xmlns:atom="http://www.w3.org/2005/Atom">',
    "<channel>",
    element("title", channel.title),
    element("link", channel.link),
    element("language", channel.language),
    // RSS requires a description.
    `<description>${escapeXml(channel.description)}</description>`,
    `<atom:link href="${escapeXml(channel.self)}" rel="self" type="application/rss+xml"/>`,
    latest === null ? "" : element("lastBuildDate", new Date(latest).toUTCString()),
    ...videos.map((video) =>
      itemXml({ ...video, ...video.translations?.[channel.language] }, siteUrl, channel.pages),
    ),
    "</channel>",
    "</rss>",
    "",
  ].join("\n");
}

function itemXml(video: Video, siteUrl: string, pages: string): string {
  const page = `${pages}/video/${encodeURIComponent(video.slug)}`;
  const size =
    video.width === null || video.height === null
      ? ""
      : ` width="${video.width}" height="${video.height}"`;
  const content =
    video.videoUrl === null
      ? ""
      : `<media:content url="${escapeXml(siteUrl + video.videoUrl)}" type="video/mp4" medium="video" duration="${Math.round(video.duration)}"${size}/>`;
  const thumbnail =
    video.thumbnail === null
      ? ""
      : `<media:thumbnail url="${escapeXml(siteUrl + video.thumbnail)}"/>`;
  const tags = video.tags.map(({ tag }) => tag.name).join(", ");
  return [
    "<item>",
    element("title", video.title),
    element("link", page),
    // Uses the id, because readers would show the item again if its slug changed.
    `<guid isPermaLink="false">${video.id}</guid>`,
    video.publishedAt === null ? "" : element("pubDate", new Date(video.publishedAt).toUTCString()),
    element("description", video.description),
    ...video.categories.map(({ category }) => element("category", category.name)),
    "<media:group>",
    content,
    element("media:title", video.title),
    element("media:description", video.description),
    thumbnail,
    `<media:player url="${escapeXml(`${pages}/embed/${encodeURIComponent(video.slug)}`)}"/>`,
    element("media:keywords", tags),
    `<media:community><media:statistics views="${video.views}" favorites="${video.likes}"/></media:community>`,
    "</media:group>",
    "</item>",
  ].join("");
}

const dayMs = 24 * 3600 * 1000;
/** RFC 9116 recommends less than a year, so that readers notice an abandoned file. */
const validDays = 180;

/** Returns the contact for vulnerability reports in the format of RFC 9116. */
function securityText(contact: string, siteUrl: string, nowMs: number): string {
  const today = Math.floor(nowMs / dayMs) * dayMs;
  return [
    `Contact: ${contact}`,
    `Expires: ${new Date(today + validDays * dayMs).toISOString()}`,
    "Preferred-Languages: en",
    `Canonical: ${siteUrl}/.well-known/security.txt`,
    "",
  ].join("\n");
}

const rssItems = 50;
const visitor = { isAdmin: false };

interface Deps {
  http: HttpCore;
  clock: Clock;
  settings: SettingsService;
  videos: VideosService;
  lists: ListsService;
  labels: LabelsService;
  sitemap: SitemapService;
}

const notFound = () => new AppError("not_found", "There is nothing at this address.");

/** Routes for crawlers, RSS readers and other sites. */
export function registerDiscoveryRoutes(app: App, deps: Deps): void {
  registerSitemap(app, deps);
  registerRss(app, deps);
  registerOEmbed(app, deps);

  app.get(
    "/robots.txt",
    { config: { policy: "public", cache: { ttlMs: 60_000 } }, schema: { hide: true } },
    async (_request, reply) => {
      const rules = await deps.settings.getProtection();
      const text = robotsText(await deps.settings.siteUrl(), rules);
      return reply.type("text/plain; charset=utf-8").send(text);
    },
  );

  app.get(
    "/.well-known/security.txt",
    { config: { policy: "public", cache: { ttlMs: 60_000 } }, schema: { hide: true } },
    async (_request, reply) => {
      const { securityContact } = await deps.settings.get();
      if (securityContact === null) throw notFound();
      const text = securityText(securityContact, await deps.settings.siteUrl(), deps.clock.now());
      return reply.type("text/plain; charset=utf-8").send(text);
    },
  );

  // Password managers open it to change a password (W3C change-password-url).
  app.get(
    "/.well-known/change-password",
    { config: { policy: "public" }, schema: { hide: true } },
    (_request, reply) => reply.redirect("/admin/account", 302),
  );

  app.get(
    "/manifest.webmanifest",
    { config: { policy: "public", cache: { ttlMs: 60_000 } }, schema: { hide: true } },
    async (_request, reply) =>
      reply
        .type("application/manifest+json; charset=utf-8")
        .send(JSON.stringify(webManifest(await deps.settings.getPublic()))),
  );
}

function registerSitemap(app: App, { http, sitemap }: Deps): void {
  // The service caches the compressed parts. In the response cache, they would displace everything
  // else.
  async function sendXml(request: FastifyRequest, reply: FastifyReply, compressed: Buffer) {
    const accepted = request.headers["accept-encoding"] ?? "";
    const takesGzip = /\bgzip\b/.test(accepted);
    void reply.headers({
      "content-type": "application/xml; charset=utf-8",
      "cache-control": http.cacheControl(),
      vary: "accept-encoding",
      ...(takesGzip ? { "content-encoding": "gzip" } : {}),
    });
    // Decompressed only as fast as the client reads, because a part may have 50 MB.
    return reply.send(takesGzip ? compressed : Readable.from([compressed]).pipe(createGunzip()));
  }

  app.get(
    "/sitemap.xml",
    { config: { policy: "public" }, schema: { hide: true } },
    async (request, reply) => sendXml(request, reply, await sitemap.getRoot()),
  );

  app.get(
    "/sitemap-:part.xml",
    {
      config: { policy: "public" },
      schema: { hide: true, params: z.object({ part: z.string() }) },
    },
    async (request, reply) => {
      const { part } = request.params;
      const body = /^[1-9]\d{0,5}$/.test(part) ? await sitemap.findPart(Number(part)) : null;
      if (body === null) throw notFound();
      return sendXml(request, reply, body);
    },
  );
}

function registerRss(app: App, { settings, lists, labels }: Deps): void {
  /** Responds in the language of the address, otherwise in the site's language. */
  async function sendRss(
    request: FastifyRequest,
    reply: FastifyReply,
    path: string,
    filter: Parameters<ListsService["list"]>[0],
    about: { name: string; description: string | null } | null,
  ) {
    const [site, url] = await Promise.all([settings.getPublic(), settings.siteUrl()]);
    const siteName = site.siteName ?? limits.defaultSiteName;
    const language = languageOfAddress(targetOf(request.raw).fullUrl) ?? site.language;
    const pages = url + prefixOf(language, site.language);
    const { rss: texts } = visitorTexts(language);
    const channel: RssChannel = {
      language,
      title: about === null ? siteName : `${about.name} - ${siteName}`,
      description:
        (about === null ? site.siteDescription : about.description) ??
        (about === null ? texts.newest : texts.newestOf(about.name)),
      pages,
      link: pages + (path === "" ? "/home" : path),
      self: `${pages}${path}/feed.rss`,
    };
    const list = await lists.list({ sort: "newest", ...filter, limit: rssItems }, visitor);
    return reply.type("application/rss+xml; charset=utf-8").send(rssXml(channel, list.videos, url));
  }

  const options = {
    config: { policy: "public", cache: { ttlMs: 5000 } },
    schema: { hide: true },
  } as const;
  app.get("/feed.rss", options, (request, reply) => sendRss(request, reply, "", {}, null));
  for (const kind of labelKinds) {
    const filterName = { categories: "category", tags: "tag", actors: "actor" }[kind];
    app.get(
      `/${kind}/:slug/feed.rss`,
      {
        ...options,
        schema: { hide: true, params: z.object({ slug: z.string().min(1).max(200) }) },
      },
      async (request, reply) => {
        const label = await labels.get(kind, request.params.slug, false);
        return sendRss(
          request,
          reply,
          `/${kind}/${encodeURIComponent(label.slug)}`,
          {
            [filterName]: label.slug,
            // The last parts of a series in order.
            ...(label.isSeries
              ? { sort: "part", offset: Math.max(0, label.videoCount - rssItems) }
              : {}),
          },
          label,
        );
      },
    );
  }
}

function registerOEmbed(app: App, { settings, videos }: Deps): void {
  app.get(
    "/api/oembed",
    {
      config: { policy: "public", cache: { ttlMs: 5000 }, allowsCrossOrigin: true },
      schema: {
        tags: ["videos"],
        summary: "Get oEmbed 1.0 data for the URL of a video",
        querystring: z.object({
          url: z.string({ error: "Enter the URL of a video" }).max(2000),
          format: z.enum(["json", "xml"], { error: "must be json or xml" }).optional(),
          maxwidth: queryInt(1, 10_000),
          maxheight: queryInt(1, 10_000),
        }),
      },
    },
    async (request, reply) => {
      const { url, format = "json", maxwidth, maxheight } = request.query;
      const [site, siteUrl] = await Promise.all([settings.getPublic(), settings.siteUrl()]);
      const asked = videoOfAddress(url, siteUrl);
      if (asked === null) throw new AppError("not_found", "This URL isn't a video on this site.");
      const language = asked.language ?? site.language;
      const video = await videos.get(asked.slug, visitor);
      if (embeddersOf(site.embedding, video.embedding) === "nobody") {
        throw new AppError("not_embeddable", "Other sites can't show this video.");
      }
      const response = presentOEmbed(
        { ...video, ...video.translations?.[language] },
        {
          name: site.siteName ?? limits.defaultSiteName,
          url: siteUrl,
          pages: siteUrl + prefixOf(language, site.language),
        },
        { width: maxwidth, height: maxheight },
        asked.startS,
      );
      // Scripts on other sites may read this response. It contains only public data.
      void reply.header("access-control-allow-origin", "*");
      return format === "xml"
        ? reply.type("text/xml; charset=utf-8").send(oEmbedXml(response))
        : reply.type("application/json; charset=utf-8").send(JSON.stringify(response));
    },
  );
}
