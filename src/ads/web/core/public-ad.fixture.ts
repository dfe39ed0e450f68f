import type { PublicAd } from "../../contract/ads.ts";

/** An ad as the public list returns it. */
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
