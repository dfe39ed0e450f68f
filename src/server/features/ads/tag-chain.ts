import type { FetchedDocument } from "../../../contract/ads.ts";
import { absoluteUrl, maxDocuments, maxWrappers } from "../../../contract/vast-address.ts";
import type { GuardedFetch } from "./guarded-fetch.ts";

/** The whole chain has this long; a page waits for an ad no longer anyway. */
const totalMs = 5000;

/**
 * Fetches a tag and everything that its wrappers name, for a browser that may not (no CORS header,
 * http inside https). Documents are handed over unread: the browser judges them as if it had fetched
 * them itself.
 */
export function createTagChain(fetchText: GuardedFetch) {
  return async function follow(
    rootUrl: string,
    headers: Record<string, string> = {},
  ): Promise<FetchedDocument[]> {
    const signal = AbortSignal.timeout(totalMs);
    const documents = new Map<string, FetchedDocument>();
    let level = [rootUrl];
    for (let depth = 0; depth <= maxWrappers && level.length > 0; depth += 1) {
      const wanted = [...new Set(level)].filter((url) => !documents.has(url));
      const room = Math.max(0, maxDocuments - documents.size);
      const fetched = await Promise.all(
        wanted.slice(0, room).map(async (url): Promise<FetchedDocument> => {
          const answer = await fetchText(expandRequest(url), { signal, headers });
          return answer.ok
            ? { url, redirects: answer.redirects, text: answer.text, problem: null, status: 200 }
            : {
                url,
                text: null,
                redirects: answer.redirects,
                problem: answer.problem,
                status: answer.status,
              };
        }),
      );
      for (const document of fetched) documents.set(document.url, document);
      level = fetched.flatMap((document) => listTagUrls(document.text ?? "", document.url));
    }
    return [...documents.values()];
  };
}

export type TagChain = ReturnType<typeof createTagChain>;

/**
 * The addresses of `<VASTAdTagURI>` as they will be read by an XML parser: character data and CDATA
 * sections put together. Found by plain search, in time linear in the text.
 */
export function listTagUrls(xml: string, baseUrl: string): string[] {
  const urls: string[] = [];
  let at = 0;
  while (urls.length < maxDocuments) {
    const start = xml.indexOf("<VASTAdTagURI", at);
    if (start < 0) break;
    const open = xml.indexOf(">", start);
    const end = open < 0 ? -1 : xml.indexOf("</VASTAdTagURI", open);
    if (end < 0) break;
    const url = absoluteUrl(characterData(xml.slice(open + 1, end)), baseUrl);
    if (url !== null) urls.push(url);
    at = end;
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

/** Macros of an ad request that the server can fill; what it does not know is -1. */
function expandRequest(url: string): string {
  return url.replace(/\[([A-Z]{3,24})\]/g, (whole, name: string) => {
    if (name === "CACHEBUSTING" || name === "RANDOM") {
      return String(Math.floor(Math.random() * 1e8)).padStart(8, "0");
    }
    if (name === "TIMESTAMP") return encodeURIComponent(new Date().toISOString());
    return /^(APIFRAMEWORKS|CONTENTPLAYHEAD|MEDIAPLAYHEAD|PAGEURL|DOMAIN|IFA|IFATYPE|LIMITADTRACKING|GDPRCONSENT|REGULATIONS|PLACEMENTTYPE|PLAYERSIZE|PLAYERSTATE|VASTVERSIONS|BREAKPOSITION|CONTENTID|CONTENTURI|LATLONG|DEVICEIP|DEVICEUA|CLIENTUA|OMIDPARTNER)$/.test(
      name,
    )
      ? "-1"
      : whole;
  });
}
