import type { IncomingMessage, ServerResponse } from "node:http";
import type { Language } from "#contract/site/languages.ts";
import { languageOfAddress, splitLanguage } from "#contract/site/translated-pages.ts";
import { limits } from "#contract/limits.ts";
import type { Db } from "#server/db/connection.ts";
import { readCookie } from "#server/http/access/cookies.ts";
import { refuseHead } from "#server/http/client-errors.ts";
import { languageOfBrowser } from "#server/http/page-language.ts";
import { looksLikeRobot } from "#server/http/access/user-agent.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import { isContentPage, isForOperators, isLegal, readAddress } from "./address.ts";
import {
  agePage,
  blockedCountryPage,
  rtaLabel,
  simplePagePolicy,
  type SimplePage,
} from "./age-page.ts";
import { listRestrictedVideos } from "./restrictions.repository.ts";

export const ageCookie = "age";

interface Rules {
  siteName: string;
  siteLanguage: Language;
  isAgeAsked: boolean;
  /** Countries that see nothing of the site. */
  countries: ReadonlySet<string>;
  /** Countries that may not see a video, by its id, slug and media token in lower case. */
  videos: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Age confirmation and blocked countries. */
export interface RestrictionsService {
  /** Reads the rules again. */
  refresh(): Promise<void>;
  /**
   * Runs in front of the response cache, so that cached responses stay the same for everybody.
   * @returns true if it has responded.
   */
  screen(request: IncomingMessage, response: ServerResponse): boolean;
  /** Whether responses differ between visitors, so that a CDN must keep none. */
  isInForce(): boolean;
  /** Whether some country may not see the files behind a media token. */
  isRestricted(mediaToken: string): boolean;
  /**
   * What is shown in place of a page: in the language of its address, else of the browser, since no
   * cache keeps it.
   */
  simplePage(request: Pick<IncomingMessage, "headers">, url: string): SimplePage;
}

const nothing: Rules = {
  siteName: limits.defaultSiteName,
  siteLanguage: "en",
  isAgeAsked: false,
  countries: new Set(),
  videos: new Map(),
};

export function createRestrictionsService(deps: {
  db: Db;
  settings: Pick<SettingsService, "get">;
  /** The header in which a proxy names the country of a visitor; null where none does. */
  geoHeader: string | null;
}): RestrictionsService {
  const { db, settings, geoHeader } = deps;
  let rules = nothing;
  let refreshes = 0;

  function countryOf(request: IncomingMessage): string | null {
    const value = geoHeader === null ? undefined : request.headers[geoHeader];
    return typeof value === "string" ? value.trim().toUpperCase() : null;
  }

  function simplePage(request: Pick<IncomingMessage, "headers">, url: string): SimplePage {
    const { siteName, siteLanguage } = rules;
    const language = languageOfAddress(url) ?? languageOfBrowser(request) ?? siteLanguage;
    return { siteName, siteLanguage, language };
  }

  return {
    async refresh() {
      refreshes += 1;
      const own = refreshes;
      const [site, videos] = await Promise.all([settings.get(), listRestrictedVideos(db)]);
      const byKey = new Map<string, ReadonlySet<string>>();
      for (const { id, slug, mediaToken, countries } of videos) {
        const set = new Set(countries);
        for (const key of [id, slug, mediaToken]) byKey.set(key.toLowerCase(), set);
      }
      // A later one has read what is newer.
      if (own !== refreshes) return;
      rules = {
        siteName: site.siteName ?? limits.defaultSiteName,
        siteLanguage: site.language,
        isAgeAsked: site.ageGate,
        countries: new Set(site.blockedCountries),
        videos: byKey,
      };
    },

    screen(request, response) {
      const { isAgeAsked, countries, videos } = rules;
      if (isAgeAsked) response.setHeader("rating", rtaLabel);
      const { url = "/", method = "GET" } = request;
      const country = countries.size + videos.size === 0 ? null : countryOf(request);
      if (!isAgeAsked && country === null) return false;
      const address = readAddress(splitLanguage(url).url);
      if (isForOperators(address) || isLegal(address)) return false;
      const isPage = (method === "GET" || method === "HEAD") && isContentPage(address);
      const isFramable = address.path.startsWith("/embed/");

      if (country !== null) {
        const isSite = countries.has(country);
        const isVideo = address.video !== null && videos.get(address.video)?.has(country) === true;
        if (isSite || isVideo) {
          const subject = isSite ? "site" : "video";
          if (isPage) {
            const page = blockedCountryPage(simplePage(request, url), subject);
            sendPage(response, 451, page, isFramable);
          } else {
            const message = `This ${subject} is not available in your country.`;
            refuseHead(response, "blocked_country", message);
          }
          return true;
        }
      }
      if (!isAgeAsked || !isPage || isConfirmed(request)) return false;
      sendPage(response, 200, agePage(simplePage(request, url), url), isFramable);
      return true;
    },

    isInForce: () => rules.isAgeAsked || rules.countries.size > 0 || rules.videos.size > 0,
    isRestricted: (mediaToken) => rules.videos.has(mediaToken.toLowerCase()),
    simplePage,
  };
}

/** Visitors who have said so, and programs that say what they are. */
const isConfirmed = ({ headers }: IncomingMessage): boolean =>
  readCookie(headers.cookie, ageCookie) === "1" || looksLikeRobot(headers["user-agent"]);

function sendPage(
  response: ServerResponse,
  status: number,
  html: string,
  isFramable: boolean,
): void {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "content-length": Buffer.byteLength(html),
    "content-security-policy": simplePagePolicy(isFramable),
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    // Another request for the same address gets another page.
    "cache-control": "private, no-store",
  });
  response.end(response.req.method === "HEAD" ? undefined : html);
}
