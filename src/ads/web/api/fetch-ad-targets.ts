import { adTargets, type AdTargets } from "../../contract/ads.ts";
import { call } from "#web/lib/api/http.ts";

/** Whom an ad is for. */
export const fetchAdTargets = (adId: string): Promise<AdTargets> =>
  call(`/api/spots/${encodeURIComponent(adId)}/targets`, adTargets);
