import type { AdDevice, AdType } from "../../contract/ads.ts";
import type { BreakRequest } from "../rules/delivery-rules.ts";

/** Parameters of a request, with the visitor's and the page's properties. */
export interface AdRequest extends BreakRequest {
  types: readonly AdType[] | null;
  limit: number;
  /** Only this ad, if set. */
  only?: string | undefined;
  /** Slugs of the categories and tags of the content around the ad. */
  categories: readonly string[];
  tags: readonly string[];
  /** Ads on the same page (`stoppedKey`). */
  beside: readonly string[];
  /** Null to derive it from the user agent. */
  device: AdDevice | null;
  country: string | null;
  userAgent: string | undefined;
  mobileHint: string | undefined;
  acceptLanguage: string | undefined;
  visitorId: string;
  /** Keyed hash of the visitor's address group. */
  addressGroup: string;
  /** Ads that the visitor has hidden (`stoppedKey`). */
  stopped: ReadonlySet<string>;
  /** True to allow trusted ads: on some pages, with the visitor's consent, never in a session. */
  allowsTrusted: boolean;
}
