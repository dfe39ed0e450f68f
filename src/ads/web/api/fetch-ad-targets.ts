import { adTargets, type AdTargets } from "../../contract/ads.ts";
import { call } from "#web/lib/api/http.ts";

/** Fetches the targeting of an ad. */
export const fetchAdTargets = (adId: string): Promise<AdTargets> =>
  call(`/api/spots/${encodeURIComponent(adId)}/targets`, adTargets);
