import {
  publicAdList,
  type AdPlacement,
  type AdType,
  type PublicAdList,
} from "../../../../contract/ads.ts";
import { neutralTypes } from "../../../../contract/ad-names.ts";
import { call, inTurn, queryString } from "../../../lib/api/http.ts";

export interface AdQuery {
  placement: AdPlacement;
  /** All types if absent. */
  types?: readonly AdType[];
  limit: number;
  /** Slugs of the categories of the content around the ad. */
  categories?: readonly string[];
  signal: AbortSignal;
}

/** The lists of ad blockers match the names of the types. */
function neutralName(type: AdType): string {
  return Object.entries(neutralTypes).find(([, own]) => own === type)?.[0] ?? type;
}

/** Ads for one slot, from a URL that the lists of ad blockers do not match. */
export function fetchAds(query: AdQuery): Promise<PublicAdList> {
  const { placement, types = [], limit, categories = [], signal } = query;
  const search = queryString({
    placement,
    type: types.map(neutralName).join(","),
    limit,
    category: categories.join(","),
  });
  // The response may create the visitor, to whom the token of every later one is bound.
  return inTurn(() => call(`/api/spots/public${search}`, publicAdList, { signal }));
}
