import type { FetchedDocument } from "../../contract/ads.ts";
import { absoluteUrl, chainLimits, maxWrappers } from "../../contract/vast-address.ts";
import { expandMacros } from "../../contract/vast-macros.ts";
import { isVmap, textOfBreaks } from "../../contract/vmap.ts";
import type { GuardedFetch } from "./guarded-fetch.ts";

/** Time limit for the whole chain. It ends before the time limit of the waiting browser. */
const totalMs = 5000;

const now = { random: Math.random, date: () => new Date() };

/** Limits of the chain, and values for macros. */
interface ChainBounds {
  documents?: number;
  bytes?: number;
  /** Index of the VMAP break to follow. */
  break?: number;
  /** See `MacroEnvironment`. */
  consent?: string;
  gdpr?: number;
  /** Page that shows the ad, for macros. */
  pageUrl?: string | undefined;
}

/**
 * Fetches a tag and its wrappers' documents for a browser that isn't allowed to (no CORS header, or
 * http inside https). The browser parses the documents as if it had fetched them itself.
 */
export function createTagChain(fetchText: GuardedFetch, timeMs = totalMs) {
  return async function follow(
    rootUrl: string,
    headers: Record<string, string> = {},
    bounds: ChainBounds = {},
  ): Promise<FetchedDocument[]> {
    const signal = AbortSignal.timeout(timeMs);
    const maxDocuments = Math.min(bounds.documents ?? Infinity, chainLimits.documents);
    const budget = { bytes: Math.min(bounds.bytes ?? Infinity, chainLimits.bytes) };
    const { pageUrl } = bounds;
    const environment = { ...now, consent: () => bounds.consent, gdpr: () => bounds.gdpr };
    const requested = new Set<string>();
    const documents: FetchedDocument[] = [];

    /** Follows the first URL to the end of its chain, so that the limits leave room for one ad. */
    async function followAll([first, ...others]: string[], depth: number): Promise<void> {
      if (first === undefined || depth > maxWrappers) return;
      await followOne(first, depth);
      await Promise.all(others.map((url) => followOne(url, depth)));
    }

    async function followOne(url: string, depth: number): Promise<void> {
      if (requested.has(url) || requested.size >= maxDocuments) return;
      requested.add(url);
      const address = expandMacros(url, { pageUrl }, environment);
      const result = await fetchText(address, { signal, headers, budget });
      const { redirects } = result;
      if (!result.ok) {
        const { problem, status } = result;
        return void documents.push({ url, redirects, text: null, problem, status });
      }
      const { text } = result;
      documents.push({ url, redirects, text, problem: null, status: 200 });
      if (url !== rootUrl || !isVmap(text)) return followAll(listTagUrls(text, url), depth + 1);
      const wanted = bounds.break === undefined ? [] : [bounds.break];
      return followAll(listTagUrls(textOfBreaks(text, wanted), url), 0);
    }

    await followOne(rootUrl, 0);
    return documents;
  };
}

export type TagChain = ReturnType<typeof createTagChain>;

/**
 * Returns the addresses in `<VASTAdTagURI>` of VAST (some servers write `<VASTAdTagURL>`) and
 * `<AdTagURI>` of VMAP as an XML parser would: character data and CDATA sections joined. A plain
 * search, linear in the text's length.
 */
export function listTagUrls(xml: string, baseUrl: string): string[] {
  const urls: string[] = [];
  const opening = /<((?:[\w.-]{1,40}:)?(?:VAST)?AdTagUR[IL])[\s>]/g;
  let position = 0;
  while (urls.length < chainLimits.documents) {
    opening.lastIndex = position;
    const match = opening.exec(xml);
    if (match === null) break;
    const open = xml.indexOf(">", match.index);
    const end = open < 0 ? -1 : xml.indexOf(`</${match[1]}`, open);
    if (end < 0) break;
    const url = absoluteUrl(characterData(xml.slice(open + 1, end)), baseUrl);
    if (url !== null) urls.push(url);
    position = end;
  }
  return urls;
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function characterData(inner: string): string {
  return inner
    .split("<![CDATA[")
    .map((part, index) => {
      if (index === 0) return unescapeXml(part);
      const end = part.indexOf("]]>");
      return end < 0 ? part : part.slice(0, end) + unescapeXml(part.slice(end + 3));
    })
    .join("");
}

function unescapeXml(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi,
    (whole, hex, decimal, name) => {
      const code = hex ? Number.parseInt(String(hex), 16) : decimal ? Number(decimal) : null;
      if (code !== null) return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
      return entities[String(name)] ?? whole;
    },
  );
}
