import { publicAdQuery } from "../../../contract/ads.ts";
import { limits } from "../../../contract/limits.ts";
import type { Shortcut } from "../../http/app.ts";
import { apiPolicy, baseHeaders } from "../../http/security-headers.ts";
import { readCookie } from "../../http/cookies.ts";
import { slugsOf, type AdDelivery, type AdRequest } from "./ad-delivery.service.ts";

/** What the address says; the rest is said by the headers. */
type Wanted = Pick<AdRequest, "placement" | "types" | "limit" | "categories" | "device">;

const path = /^\/api\/(?:ads|spots)\/public(?:\?|$)/;
const maxKnown = 500;
const longestUrl = 300;

const headers = Object.entries({
  ...baseHeaders,
  "content-security-policy": apiPolicy,
  "content-type": "application/json; charset=utf-8",
  "cache-control": "no-store",
}).flat();

/**
 * The public list is asked for by every page and drawn anew each time: it is answered before the
 * framework sees it, unless the query is unusual or wrong, or a cap needs to know who asks.
 */
export function createSpotShortcut(delivery: Pick<AdDelivery, "answerAtOnce">): Shortcut {
  // Addresses repeat: what one means is worked out once.
  const known = new Map<string, Wanted | null>();

  function wantedBy(url: string): Wanted | null {
    const kept = known.get(url);
    if (kept !== undefined) return kept;
    const wanted = parse(url);
    if (known.size >= maxKnown) known.clear();
    known.set(url, wanted);
    return wanted;
  }

  return (request, response) => {
    const url = request.url ?? "";
    if (url.length > longestUrl || !path.test(url)) return false;
    // Behind a proxy the framework decides what was asked by https.
    if (request.headers["x-forwarded-proto"] !== undefined) return false;
    const wanted = wantedBy(url);
    if (wanted === null) return false;
    const { headers: asked } = request;
    const hint = asked["sec-ch-ua-mobile"];
    const json = delivery.answerAtOnce({
      ...wanted,
      userAgent: asked["user-agent"],
      mobileHint: typeof hint === "string" ? hint : undefined,
      acceptLanguage: asked["accept-language"],
      // Unchecked: it only says that somebody known may be asking, whom the route then looks up.
      visitorId: readCookie(asked.cookie, "visitor"),
    });
    if (json === null) return false;
    response.writeHead(200, [...headers, "content-length", String(Buffer.byteLength(json))]);
    response.end(json);
    return true;
  };
}

/** What the address asks for; null for whatever the route itself has to judge. */
function parse(url: string): Wanted | null {
  const at = url.indexOf("?");
  const entries = at < 0 ? [] : [...new URLSearchParams(url.slice(at + 1))];
  const query = Object.fromEntries(entries);
  if (Object.keys(query).length !== entries.length) return null;
  const parsed = publicAdQuery.safeParse(query);
  if (!parsed.success) return null;
  const { placement, type, limit, category, device } = parsed.data;
  return {
    placement: placement ?? null,
    types: type ?? null,
    limit: limit ?? limits.publicPageSize,
    categories: slugsOf(category),
    device: device ?? null,
  };
}
