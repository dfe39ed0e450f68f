import {
  publicAdList,
  type AdPlacement,
  type AdType,
  type PublicAdList,
} from "../../../../contract/ads.ts";
import { neutralTypes } from "../../../../contract/ad-names.ts";
import { call, queryString } from "../../../lib/http.ts";

export interface SpotQuery {
  placement: AdPlacement;
  /** Any where left out. */
  types?: readonly AdType[];
  limit: number;
  /** Slugs of what is shown around. */
  categories?: readonly string[];
  signal: AbortSignal;
}

/** Lists of ad blockers look for the types' own names. */
function neutralName(type: AdType): string {
  return Object.entries(neutralTypes).find(([, own]) => own === type)?.[0] ?? type;
}

/** Ads for one place. The address is one that lists of ad blockers leave alone. */
export function fetchSpots(query: SpotQuery): Promise<PublicAdList> {
  const { placement, types = [], limit, categories = [], signal } = query;
  const search = queryString({
    placement,
    type: types.map(neutralName).join(","),
    limit,
    category: categories.join(","),
  });
  return call(`/api/spots/public${search}`, publicAdList, { signal });
}
