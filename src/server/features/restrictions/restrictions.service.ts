import type { IncomingMessage, ServerResponse } from "node:http";
import { framersOf, type SiteEmbedding, type VideoEmbedding } from "#contract/site/embedding.ts";
import type { Language } from "#contract/site/languages.ts";
import { hasSecretAddress } from "#contract/site/page-zones.ts";
import { languageOfAddress, splitLanguage } from "#contract/site/translated-pages.ts";
import { limits } from "#contract/limits.ts";
import type { Db } from "#server/db/connection.ts";
import { readCookie } from "#server/http/access/cookies.ts";
import { refuseHead } from "#server/http/client-errors.ts";
import { languageOfBrowser } from "#server/http/page-language.ts";
import { baseHeaders, type FramedBy } from "#server/http/access/security-headers.ts";
import { countryOf } from "#server/http/access/trusted-headers.ts";
import { looksLikeBrowser } from "#server/http/access/user-agent.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import { targetOf } from "#server/http/request-target.ts";
import {
  agePage,
  blockedCountryPage,
  rtaLabel,
  simplePagePolicy,
  type SimplePage,
} from "./age-page.ts";
import { listRestrictedVideos, readEmbeddings } from "./restrictions.repository.ts";

/** Paths that back-office users need to sign in or that proxies call. */
const operators =
  /^\/(?:admin|auth|setup|assets|api\/(?:admin|auth|account|settings)|healthz|readyz)(?:\/|$)/;
/** Paths open to everyone: who runs the site, what it stores, and how to complain. */
const legal = /^\/(?:terms|privacy|contact|source|takedown|removals|pages\/[^/]+)$/;
const legalCalls = /^\/api\/(?:forget|privacy|takedowns|pages\/[^/]+)$/;
const noPage = /^\/(?:api|media|assets|spots|\.well-known)(?:\/|$)/;
/** Files such as `robots.txt` and RSS feeds. */
const file = /^\/[^/]+\.[^/]+$|\/feed\.rss$/;

const isOperatorPath = (place: string): boolean => operators.test(place);

const isLegal = (place: string): boolean => legal.test(place) || legalCalls.test(place);

/** Returns whether the page at this path shows site content. */
export const isContentPage = (place: string): boolean =>
  !noPage.test(place) && !legal.test(place) && !file.test(place);

export const ageCookie = "age";

interface Rules {
  siteName: string;
  siteLanguage: Language;
  hasTerms: boolean;
  asksForAge: boolean;
  /** Countries that may not see the site. */
  countries: ReadonlySet<string>;
  /** Countries that may not see a video, by video id. */
  videos: ReadonlyMap<string, ReadonlySet<string>>;
  embedding: SiteEmbedding;
  embedOrigins: readonly string[];
  /** Embedding rules of videos that override the site's, by id and by slug. */
  embeddings: ReadonlyMap<string, VideoEmbedding>;
}

const nothing: Rules = {
  siteName: limits.defaultSiteName,
  siteLanguage: "en",
  hasTerms: false,
  asksForAge: false,
  countries: new Set(),
  videos: new Map(),
  embedding: "any",
  embedOrigins: [],
  embeddings: new Map(),
};

/** Age confirmation and blocked countries. */
export function createRestrictionsService(deps: {
  db: Db;
  settings: SettingsService;
  /** Header in which a proxy sends the visitor's country; null without one. */
  geoHeader: string | null;
}) {
  const { db, settings, geoHeader } = deps;
  let rules = nothing;
  let refreshes = 0;

  /**
   * Returns whether a rule for these countries applies to the requester. An unknown country matches
   * every rule.
   */
  function isFromCountry(request: IncomingMessage, countries: ReadonlySet<string>): boolean {
    if (geoHeader === null || countries.size === 0) return false;
    const country = countryOf(request.headers, geoHeader);
    return country === null || countries.has(country);
  }

  const isOpen = (place: string): boolean => isOperatorPath(place) || isLegal(place);

  /**
   * Returns the data of a replacement page in the language of its address, otherwise of the
   * browser. Using the browser's language is possible because no cache stores the page.
   */
  function simplePage(request: Pick<IncomingMessage, "headers">, url: string): SimplePage {
    const { siteName, siteLanguage, hasTerms } = rules;
    const language = languageOfAddress(url) ?? languageOfBrowser(request) ?? siteLanguage;
    return { siteName, siteLanguage, hasTerms, language };
  }

  /** Returns the sites that may frame the page at this address. */
  function framedBy(address: string): FramedBy {
    const [, slug] = /^\/embed\/([^/?#]+)/.exec(splitLanguage(address).url) ?? [];
    if (slug === undefined) return "site";
    return framersOf(rules, rules.embeddings.get(decodePart(slug)));
  }

  function simplePageHeaders(request: IncomingMessage): Record<string, string> {
    const { path, place } = targetOf(request);
    return {
      ...baseHeaders,
      ...(hasSecretAddress(path) ? { "referrer-policy": secretReferrerPolicy(request) } : {}),
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": simplePagePolicy(framedBy(place)),
      // Another request for the same address may get a different page.
      "cache-control": "private, no-store",
    };
  }

  function sendPage(response: ServerResponse, status: number, html: string): void {
    response.writeHead(status, {
      ...simplePageHeaders(response.req),
      "content-length": Buffer.byteLength(html),
    });
    response.end(response.req.method === "HEAD" ? undefined : html);
  }

  return {
    framedBy,

    /** Reads the rules again. */
    async refresh(): Promise<void> {
      refreshes += 1;
      const own = refreshes;
      const [site, videos, embeddings] = await Promise.all([
        settings.readFresh(),
        listRestrictedVideos(db),
        readEmbeddings(db),
      ]);
      // A later refresh has already read newer rules.
      if (own !== refreshes) return;
      rules = {
        siteName: site.siteName ?? limits.defaultSiteName,
        siteLanguage: site.language,
        hasTerms: site.terms !== null,
        asksForAge: site.ageGate,
        countries: new Set(site.blockedCountries),
        videos: new Map(videos.map(({ id, countries }) => [id, new Set(countries)])),
        embedding: site.embedding,
        embedOrigins: site.embedOrigins,
        embeddings,
      };
    },

    /**
     * Runs before the response cache, so that cached responses stay the same for everyone.
     * @returns true if it has responded.
     */
    screen(request: IncomingMessage, response: ServerResponse): boolean {
      const { asksForAge, countries } = rules;
      if (asksForAge) response.setHeader("rating", rtaLabel);
      if (!asksForAge && countries.size === 0) return false;
      const { fullUrl, place } = targetOf(request);
      if (isOpen(place)) return false;
      const { method } = request;
      const isPage = (method === "GET" || method === "HEAD") && isContentPage(place);

      if (isFromCountry(request, countries)) {
        if (isPage) {
          const page = blockedCountryPage(simplePage(request, fullUrl), "site");
          sendPage(response, 451, page);
        } else {
          refuseHead(response, "blocked_country", "This site is not available in your country.");
        }
        return true;
      }
      if (!asksForAge || !isPage || isConfirmed(request)) return false;
      sendPage(response, 200, agePage(simplePage(request, fullUrl), fullUrl));
      return true;
    },

    /** Returns whether the requester's country, as reported by a proxy, may not see this video. */
    isBlocked(request: IncomingMessage, videoId: string): boolean {
      const countries = rules.videos.get(videoId);
      return (
        countries !== undefined &&
        isFromCountry(request, countries) &&
        !isOpen(targetOf(request).place)
      );
    },

    /** Returns the page shown in place of a video. */
    blockedVideoPage(request: IncomingMessage): { html: string; headers: Record<string, string> } {
      return {
        html: blockedCountryPage(simplePage(request, targetOf(request).fullUrl), "video"),
        headers: simplePageHeaders(request),
      };
    },

    /** Returns whether responses differ between visitors, so that a CDN must not cache them. */
    hasActiveRules: (): boolean =>
      rules.asksForAge || rules.countries.size > 0 || rules.videos.size > 0,
    /**
     * Returns whether any country may not see this video because of its own rule or that of the
     * site.
     */
    isRestricted: (videoId: string): boolean =>
      rules.countries.size > 0 || rules.videos.has(videoId),
    /** Returns whether any country may not see any video. */
    restrictsAll: (): boolean => rules.countries.size > 0,
    simplePage,
  };
}

export type RestrictionsService = ReturnType<typeof createRestrictionsService>;

/** Returns whether the visitor has confirmed their age or isn't a browser. */
const isConfirmed = ({ headers }: IncomingMessage): boolean =>
  readCookie(headers.cookie, ageCookie) === "1" || !looksLikeBrowser(headers["user-agent"]);

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text).toLowerCase();
  } catch {
    return text;
  }
}

/**
 * With `no-referrer`, a posted form has no origin. Forms of browsers without `Sec-Fetch-` headers
 * would then be refused, because the origin is all that shows where they come from.
 */
export const secretReferrerPolicy = ({ headers }: IncomingMessage): string =>
  headers["sec-fetch-site"] === undefined ? "origin" : "no-referrer";
