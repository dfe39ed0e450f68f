import type { AdDevice, AdType } from "../../contract/ads.ts";
import type { BreakRequest } from "../rules/delivery-rules.ts";

/** Parameters of a request, with the visitor's and the page's properties. */
export interface AdRequest extends BreakRequest {
  types: readonly AdType[] | null;
  limit: number;
  /** No ad but this one. */
  only?: string | undefined;
  /** Slugs of the categories and tags of the content around the ad. */
  categories: readonly string[];
  tags: readonly string[];
  /** Ads that are on the same page (`stoppedKey`). */
  beside: readonly string[];
  /** Null: derived from the user agent. */
  device: AdDevice | null;
  country: string | null;
  userAgent: string | undefined;
  mobileHint: string | undefined;
  acceptLanguage: string | undefined;
  visitorId: string;
  /** A keyed hash of the visitor's address group. */
  addressGroup: string;
  /** Ads that the visitor does not want to see (`stoppedKey`). */
  stopped: ReadonlySet<string>;
  /** Allows trusted ads: only with the visitor's consent, never in a session. */
  mayRunInPage: boolean;
}
