import {
  maxBreakS,
  publicAdList,
  type AdPlacement,
  type AdType,
  type PublicAdList,
} from "../../contract/ads.ts";
import { neutralTypes } from "../../contract/ad-names.ts";
import { shownTypes } from "../../contract/ad-placements.ts";
import { currentAdPage } from "../core/page-ads.ts";
import { call, inTurn, queryString } from "#web/lib/api/http.ts";
import { carriedHeaders, isEmbedPage, keepVisitor } from "#web/lib/embed-visitor.ts";

export interface AdQuery {
  placement: AdPlacement;
  limit: number;
  /** Restricts the list to the ad with this id. */
  only?: string;
  /** Slugs of the categories of the content around the ad. */
  categories?: readonly string[];
  /** Slugs of the tags of the content around the ad. */
  tags?: readonly string[];
  /** False leaves out popups. */
  allowsPopups?: boolean;
  /** Other ads on the same page, see `page-ads.ts`. */
  beside?: readonly string[];
  /**
   * For ad breaks: duration of the video. `sinceBreakS` is the time since the last break, or null.
   */
  durationS?: number;
  sinceBreakS?: number | null;
  signal: AbortSignal;
}

/** Returns a name that ad blockers' lists don't match. */
function neutralName(type: AdType): string {
  return Object.entries(neutralTypes).find(([, own]) => own === type)?.[0] ?? type;
}

const wholeSeconds = (seconds: number | null | undefined) =>
  seconds != null && seconds >= 0 ? Math.floor(Math.min(seconds, maxBreakS)) : undefined;

/** Maximum length of a list in the address. Many proxies refuse addresses of more than 8 KB. */
const maxListLength = 3000;

/** Joins slugs, without the last ones if the encoded list is too long. */
function joinSlugs(slugs: readonly string[]): string {
  const list = slugs.join(",");
  return encodeURIComponent(list).length <= maxListLength ? list : joinSlugs(slugs.slice(0, -1));
}

/** Fetches ads for one slot, from a URL that ad blockers' lists don't match. */
export function fetchAds(query: AdQuery): Promise<PublicAdList> {
  const { placement, limit, categories = [], tags = [], beside = [], signal } = query;
  const search = queryString({
    placement,
    origin: isEmbedPage() ? "embed" : undefined,
    type: shownTypes[placement]
      .filter((type) => type !== "popup" || query.allowsPopups !== false)
      .map(neutralName)
      .join(","),
    limit,
    page: currentAdPage(),
    only: query.only,
    category: joinSlugs(categories),
    tag: joinSlugs(tags),
    beside: beside.join(","),
    duration: wholeSeconds(query.durationS),
    sinceBreak: wholeSeconds(query.sinceBreakS),
  });
  // The first response may set the visitor cookie. All later tokens are bound to it.
  return inTurn(async () => {
    const headers = carriedHeaders();
    const list = await call(`/api/spots/public${search}`, publicAdList, { signal, headers });
    keepVisitor(list.visitor);
    return list;
  });
}
