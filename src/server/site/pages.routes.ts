import type { FastifyReply, FastifyRequest } from "fastify";
import type { Language } from "#contract/site/languages.ts";
import { hasSecretAddress, isBackOfficePage, trustedAdPageOf } from "#contract/site/page-zones.ts";
import { languageOfAddress } from "#contract/site/translated-pages.ts";
import { framersOf } from "#contract/site/embedding.ts";
import { errorStatus } from "#contract/errors.ts";
import type { OwnTexts } from "#contract/site/text-places.ts";
import type { PageApi, ServerPageApi } from "#contract/site/page-api.ts";
import type { Video } from "#contract/videos/videos.ts";
import type { PassView } from "#contract/visitors/passes.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { App } from "#server/http/app.ts";
import type { PageRenderer } from "./pages/page-renderer.ts";
import { isFrameLoad } from "#server/http/access/fetch-metadata.ts";
import { addPageToken, type PageTokens } from "#server/http/access/page-token.ts";
import { contentSecurityPolicy } from "#server/http/access/security-headers.ts";
import { sendError } from "#server/http/errors.ts";
import { isPageAddress } from "#server/http/cache/cache-query.ts";
import type { OldAddresses } from "#server/features/import-export/site/old-addresses.ts";
import type { SiteSettings } from "#contract/site/settings.ts";
import type { RestrictionsService } from "#server/features/restrictions/restrictions.service.ts";
import { noAi } from "#server/features/discovery/robots.ts";
import { targetOf } from "#server/http/request-target.ts";
import { viewerOf, type Viewer } from "#server/http/access/policy.ts";

interface Deps {
  renderer: PageRenderer;
  /** Returns the data of pages, for a visitor or for an admin. Admins also see drafts. */
  pageApi: (viewer: Viewer, onDraft: (draft: Video) => void) => PageApi;
  serverApi: ServerPageApi;
  pageTokens: PageTokens;
  siteUrl: () => Promise<string>;
  siteLanguage: () => Promise<Language>;
  ownTexts: (language: Language) => Promise<OwnTexts | null>;
  /** Returns the origins that trusted ads use for scripts and frames. */
  adOrigins: () => Promise<readonly string[]>;
  /** Returns whether the operator hides the page at this path from search engines. */
  isUnlisted: (place: string) => Promise<boolean>;
  /** Returns whether AI crawlers may use the pages. */
  allowsAi: () => Promise<boolean>;
  /** Returns who may embed videos that have no rule of their own. */
  embedding: () => Promise<Pick<SiteSettings, "embedding" | "embedOrigins">>;
  /** Returns the page that replaces a video if the visitor's country may not see it. */
  blockedVideoPage: RestrictionsService["blockedVideoPage"];
  /**
   * Returns the page of the video that had this address on another site, or of the operator's page
   * that used to be there, or null.
   */
  findOldAddress: OldAddresses["find"];
  /** Returns whether no page can exist at this address, no matter what is in the database. */
  isUnknown: (url: string) => boolean;
}

/** Pages are the same for every visitor and are rendered at most once a second. */
const pageTtlMs = 1000;
/** Seconds after which clients may retry a page if its data couldn't be read. */
const retryAfterS = 2;
/** Pages that search engines must not index. */
const privatePages = /^\/(admin|partner|auth|setup|favorites|library|pass|private)(\/|$)/;

/** Headers of pages whose address contains a secret. */
const secretHeaders = {
  "cache-control": "private, no-store",
  "referrer-policy": "no-referrer",
};

/** Pages that are always in English. */
const inEnglish = /^\/(admin|auth|setup)(?=[/?]|$)/;

/**
 * Renders the page at the requested address and sends it.
 * @param own content for this visitor only. The caller sets the status, and no cache stores the
 * page.
 */
export type SendPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  own?: { pass: PassView },
) => Promise<unknown>;

export function createPageSender(deps: Deps): SendPage {
  const { renderer, pageApi, serverApi, siteUrl, siteLanguage, ownTexts, adOrigins } = deps;
  const { isUnknown, blockedVideoPage, pageTokens, allowsAi, isUnlisted, embedding } = deps;
  const { findOldAddress } = deps;

  /** Returns the document with the page token if a user loads it into a tab or window. */
  function toOfficePage(request: FastifyRequest, html: Buffer, draft: Video | null): Buffer {
    const { user, mediaTicket: ticket } = request;
    if (user === null || ticket === null) return html;
    const token = pageTokens.create(user);
    return Buffer.from(addPageToken(html.toString(), { token, ticket, draft }));
  }

  return async function sendPage(request, reply, own) {
    const target = targetOf(request.raw);
    const { place } = target;
    const addressLanguage = languageOfAddress(target.fullUrl);
    const plain =
      addressLanguage === null ? place : target.fullUrl.slice(addressLanguage.length + 1);
    const isSecret = hasSecretAddress(plain.split("?", 1)[0] ?? "");
    // Also for redirects. Otherwise an ad of the next page could read the address from the referrer
    // or from `navigation.entries()`.
    if (isSecret) void reply.headers(secretHeaders);
    const origin = await siteUrl();
    const language = await siteLanguage();
    // Each page has only one address.
    if (target.language === language) return reply.redirect(target.url, 301);
    const isEnglish = inEnglish.test(plain);
    if (addressLanguage !== null && isEnglish) return reply.redirect(plain, 301);
    const moved = await findOldAddress(target.fullUrl).catch((error: unknown) => {
      if (request.videoGate?.hasRefused === true) return null;
      throw error;
    });
    if (moved !== null) return reply.redirect(moved, 301);
    const code = isEnglish ? "en" : (addressLanguage ?? language);
    const drafts: Video[] = [];
    const api = pageApi(viewerOf(request), (draft) => drafts.push(draft));
    let shownVideo: Video | undefined;
    const getVideo = async (idOrSlug: string) => (shownVideo = await api.getVideo(idOrSlug));
    // The back office shows the site in a frame, where its ads must not be.
    const isPreview = request.user !== null && isFrameLoad(request.headers);
    const page = await renderer.render({
      url: new URL(target.fullUrl, origin).href,
      language: { code, siteLanguage: language, own: await ownTexts(code) },
      api: { ...api, getVideo },
      serverApi: {
        ...serverApi,
        ...(isPreview ? { adSlots: async () => [] } : {}),
        ...(own === undefined ? {} : { passView: () => own.pass }),
      },
      siteUrl: origin,
    });
    if (request.videoGate?.hasRefused === true) {
      const { html, headers } = blockedVideoPage(request.raw);
      return reply.status(errorStatus.blocked_country).headers(headers).send(html);
    }
    if (page.location !== undefined) return reply.redirect(page.location, page.status);
    // The page of a draft belongs to the back office, too.
    const [draft = null] = drafts;
    const isOffice = isBackOfficePage(place) || draft !== null;
    const isEmbed = place.startsWith("/embed/") && !isOffice;
    const runsTrustedAds = trustedAdPageOf(place) !== null && !isOffice;
    const robots = [
      ...(privatePages.test(place) || (await isUnlisted(place)) ? ["noindex"] : []),
      ...((await allowsAi()) ? [] : [noAi]),
    ];
    void reply.headers({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": contentSecurityPolicy({
        scriptSources: renderer.scriptSources,
        adOrigins: runsTrustedAds ? await adOrigins() : [],
        framedBy: isEmbed
          ? framersOf(await embedding(), shownVideo?.embedding)
          : runsTrustedAds
            ? "site"
            : "nobody",
        ...(isEmbed ? { siteUrl: new URL(origin).origin } : {}),
      }),
      ...(robots.length === 0 ? {} : { "x-robots-tag": robots.join(", ") }),
      // A trusted ad of another page must not read or change these pages through a window that it
      // opened. Pages with trusted ads aren't isolated, because the browser would start a new
      // process for each first visit (45 of 160 ms to a video's first frame).
      ...(runsTrustedAds || isEmbed ? {} : { "cross-origin-opener-policy": "same-origin" }),
    });
    if (page.status === 503) void reply.header("retry-after", String(retryAfterS));
    // No cache may store an address with a secret or a page token, and the expiry of a link takes
    // effect at once.
    if (own !== undefined) {
      void reply.header("cache-control", "private, no-store");
    } else if (!isSecret && !isOffice) {
      const isSharedPage = page.status === 200 || (page.status === 404 && isUnknown(target.url));
      if (isSharedPage && !renderer.isLive) reply.cacheForMs = pageTtlMs;
      // Pages that are the same for every visitor get this header where they are cached.
      const isShared = request.user === null;
      void reply.header("cache-control", isShared ? "no-cache" : "private, no-store");
    }
    if (own === undefined || page.status !== 200) void reply.status(page.status);
    if (!isOffice) return reply.send(page.html);
    void reply.header("cache-control", "private, no-store");
    return reply.send(toOfficePage(request, page.html, draft));
  };
}

/** Serves pages for every path without a route. A server without pages responds with 404. */
export function registerNotFound(app: App, sendPage: SendPage | null): void {
  app.setNotFoundHandler(async (request, reply) => {
    const isPage = request.method === "GET" || request.method === "HEAD";
    const { place, url } = targetOf(request.raw);
    if (
      sendPage === null ||
      !isPage ||
      /^\/(api|media|assets)(\/|$)/.test(place) ||
      !isPageAddress(url)
    ) {
      sendError(request, reply, new AppError("not_found", "There is nothing at this address."));
      return reply;
    }
    return sendPage(request, reply);
  });
}
