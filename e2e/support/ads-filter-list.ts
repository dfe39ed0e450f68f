/**
 * Rules in EasyList syntax that match the usual names in ad URLs. They were written for this test
 * and use words from real lists.
 */
export const filterRules = [
  "/api/ads /ads/* /ad/ /ad- /adframe /adserver /adservice /ad_slot /adslot /ads.js /ads.css",
  "/advert /sponsor banner popup popunder /preroll. /preroll/ /midroll/ /postroll/ /vast.",
  "/vast/ /vast? /vast^ /vpaid /doubleclick /promo/ _ad. _ads. -ad. -ads. .ads. &ad= ?ad= &ad_",
  "?ad_ &adtype= &adunit= =interstitial /track/ad /adtrack /adclick /impression.gif",
  "/impression/* /click/ad",
].flatMap((line) => line.split(" "));

/** Selectors of generic hiding rules, with the usual classes, ids and attributes of ads. */
export const hidingSelectors = [
  ".ad, .ads, .ad-slot, .ad-banner, .ad-container, .ad-wrapper, .ad-box, .ad-unit, .ad-label",
  ".adsbox, .adslot, .ad_slot, .adbanner, .banner-ad, .banner_ad, .ad-frame, .adframe, .feed-ad",
  ".advert, .adverts, .advertisement, .advertising, .sponsored, .sponsored-content, .sponsor",
  ".popup-ad, .popupad, .video-ad, .video-ads, .preroll, .preroll-ad, .text-ad, .textad",
  "#ad, #ads, #ad-slot, #ad-banner, #banner-ad, #header-ad, #footer-ad, #sidebar-ad, #popup-ad",
  "[id^='ad-'], [id^='ads-'], [id^='div-gpt-ad'], [class^='ad-'], [class*=' ad-']",
  "[data-ad-name], [data-ad-width], [data-ad-slot], [data-ad-client], ins.adsbygoogle",
  "iframe[src*='/ads/'], iframe[name^='ad'], iframe[id^='ad'], a[href^='/ads/']",
];

/**
 * Converts a rule to a pattern. `*` is any text, `^` a separator, `|` an end, `||` the start of a
 * host.
 */
export function compileRule(rule: string): RegExp {
  const escaped = rule
    .replace(/[.+?${}()[\]\\]/g, String.raw`\$&`)
    .replaceAll("*", ".*")
    .replaceAll("^", String.raw`(?:[^\w.%-]|$)`)
    .replace(/^\|\|/, String.raw`^\w+:\/\/(?:[^/]*\.)?`)
    .replace(/^\|/, "^")
    .replace(/\|$/, "$");
  return new RegExp(escaped, "i");
}
