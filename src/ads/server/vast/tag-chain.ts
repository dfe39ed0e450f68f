import type { FetchedDocument } from "../../contract/ads.ts";
import { absoluteUrl, chainLimits, maxWrappers } from "../../contract/vast-address.ts";
import { expandMacros } from "../../contract/vast-macros.ts";
import { isVmap, textOfBreaks } from "../../contract/vmap.ts";
import type { GuardedFetch } from "./guarded-fetch.ts";

/** Time limit for the whole chain. It ends before the time limit of the waiting browser. */
const totalMs = 5000;

const now = { random: Math.random, date: () => new Date() };

/** Limits of the chain. */
interface ChainBounds {
  documents?: number;
  bytes?: number;
  /** Index of the VMAP break to follow. */
  break?: number;
  /** See `MacroEnvironment`. */
  consent?: string;
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
    const documents = new Map<string, FetchedDocument>();
    let level = [rootUrl];
    let maxDepth = maxWrappers;
    for (let depth = 0; depth <= maxDepth && level.length > 0; depth += 1) {
      const wanted = [...new Set(level)].filter((url) => !documents.has(url));
      const fetched = await Promise.all(
        wanted
          .slice(0, maxDocuments - documents.size)
          .map(async (url): Promise<FetchedDocument> => {
            const address = expandMacros(url, {}, { ...now, consent: () => bounds.consent });
            const result = await fetchText(address, { signal, headers, budget });
            const { redirects } = result;
            return result.ok
              ? { url, redirects, text: result.text, problem: null, status: 200 }
              : { url, redirects, text: null, problem: result.problem, status: result.status };
          }),
      );
      for (const document of fetched) documents.set(document.url, document);
      level = fetched.flatMap(({ text, url }) => {
        if (depth > 0 || !isVmap(text ?? "")) return listTagUrls(text ?? "", url);
        maxDepth += 1;
        return listTagUrls(
          textOfBreaks(text ?? "", bounds.break === undefined ? [] : [bounds.break]),
          url,
        );
      });
    }
    return [...documents.values()];
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
