import type { PublicAd } from "../../contract/ads.ts";

/** Creates an ad as returned by the public list. */
export function publicAd(values: Partial<PublicAd> = {}): PublicAd {
  return {
    id: "ad",
    title: "An ad",
    description: null,
    content: null,
    type: "banner",
    placement: "header",
    imageUrl: null,
    linkUrl: null,
    vastTagUrl: null,
    trust: "isolated",
    widthPx: null,
    heightPx: null,
    isBumper: false,
    ...values,
  };
}
