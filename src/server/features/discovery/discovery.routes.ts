import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { prefixOf } from "#contract/site/languages.ts";
import { embeddersOf } from "#contract/site/embedding.ts";
import { limits } from "#contract/limits.ts";
import { queryInt } from "#contract/lists/paging.ts";
import { directionOf } from "#contract/site/translated-pages.ts";
import type { App, HttpCore } from "#server/http/app.ts";
import type { Clock } from "#server/lib/clock.ts";
import { visitorTexts } from "#server/lib/visitor-texts.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { LabelsService } from "#server/features/labels/labels.service.ts";
import type { ListsService } from "#server/features/videos/query/lists.service.ts";
import type { Podcasts } from "#server/features/podcasts/podcasts.service.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";
import { sitePictureKeyOf } from "#server/storage/media-keys.ts";
import type { Storage } from "#server/storage/storage.ts";
import { shorten } from "#contract/text.ts";
import type { PublicSettings } from "#contract/site/settings.ts";
import { oEmbedXml, presentOEmbed, videoOfAddress } from "./oembed.ts";
import { robotsText } from "./robots.ts";
import { registerRssRoutes } from "./rss.routes.ts";
import type { SitemapService } from "./sitemap.service.ts";

const maxIconBytes = 1024 * 1024;

/** Number of characters that launchers show below an icon. */
const shortNameLength = 12;

/** Shortens a name without an ellipsis, because launchers add their own. */
const shortName = (name: string) => shorten(name, shortNameLength + 1).replace(/…$/, "");

const standardIcons = [
  { src: "/icon.svg", sizes: "any", type: "image/svg+xml" },
  { src: "/icon-192.png", sizes: "192x192", type: "image/png" },
  { src: "/icon-512.png", sizes: "512x512", type: "image/png" },
  { src: "/icon-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
];

/** Returns the icons of the site. The size of a favicon is known if it was uploaded, as a PNG. */
async function listIcons(storage: Storage, favicon: string | null) {
  if (favicon === null) return standardIcons;
  const key = sitePictureKeyOf(favicon);
  const bytes = key === null ? null : await storage.readBytes(key, maxIconBytes).catch(() => null);
  // PNG 3, 11.2.1: the first chunk starts with width and height.
  const isPng = bytes !== null && bytes.length >= 24 && bytes.toString("latin1", 12, 16) === "IHDR";
  const sizes = isPng ? `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}` : "any";
  return [{ src: favicon, sizes }];
}

/** Returns the W3C Web Application Manifest that lets browsers install the site as an app. */
export function webManifest(
  settings: Pick<PublicSettings, "siteName" | "siteDescription" | "language">,
  icons: readonly object[],
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
    icons,
    shortcuts: [
      { name: app.feed, url: "/feed" },
      { name: app.search, url: "/search" },
      { name: app.favorites, url: "/favorites" },
    ],
  };
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

const visitor = { isAdmin: false };

interface Deps {
  http: HttpCore;
  clock: Clock;
  storage: Storage;
  settings: SettingsService;
  videos: VideosService;
  lists: ListsService;
  labels: LabelsService;
  podcasts: Podcasts;
  sitemap: SitemapService;
}

const notFound = () => new AppError("not_found", "There is nothing at this address.");

/** Routes for crawlers, RSS readers and other sites. */
export function registerDiscoveryRoutes(app: App, deps: Deps): void {
  registerSitemap(app, deps);
  registerRssRoutes(app, deps);
  registerOEmbed(app, deps);

  app.get(
    "/robots.txt",
    { config: { policy: "public", cache: { ttlMs: 60_000 } }, schema: { hide: true } },
    async (_request, reply) => {
      const rules = await deps.settings.current();
      const text = robotsText(await deps.settings.siteUrl(), rules);
      return reply.type("text/plain; charset=utf-8").send(text);
    },
  );

  app.get(
    "/.well-known/security.txt",
    { config: { policy: "public", cache: { ttlMs: 60_000 } }, schema: { hide: true } },
    async (_request, reply) => {
      const { securityContact } = await deps.settings.readFresh();
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
    async (_request, reply) => {
      const site = await deps.settings.getPublic();
      const manifest = webManifest(site, await listIcons(deps.storage, site.faviconUrl));
      return reply.type("application/manifest+json; charset=utf-8").send(JSON.stringify(manifest));
    },
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
