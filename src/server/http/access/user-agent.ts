import type { PlayDevice } from "#contract/videos/play-origins.ts";

/**
 * Matches programs that fetch pages without a user. They are counted separately from visitors. Cubot and
 * M Bot are brands of phones.
 */
const robot =
  /(?<!\b(?:cu|m ))bot\b|crawl|spider|slurp|headless|phantom|puppeteer|playwright|selenium|curl\/|wget|python|java\/|go-http|okhttp|axios|node-fetch|undici|libwww|scrapy|facebookexternalhit|preview|monitor|pingdom|lighthouse/i;

export function looksLikeRobot(userAgent: string | undefined): boolean {
  return userAgent === undefined || userAgent.length < 20 || robot.test(userAgent);
}

/** Crawlers send `compatible;`. Among common browsers, only Internet Explorer did, too. */
const browser = /^(?:Mozilla|Opera)\/(?!.*compatible;(?! MSIE))/;

/**
 * Returns whether a user agent is that of a browser. Stricter than `looksLikeRobot`, which also
 * decides what is counted.
 */
export const looksLikeBrowser = (userAgent = ""): boolean =>
  browser.test(userAgent) && !looksLikeRobot(userAgent);

const tv =
  /smart-?tv|googletv|android tv|appletv|apple tv|hbbtv|netcast|web0s|webos|tizen.*tv|viera|bravia|roku|aft[a-z]|crkey|playstation|xbox/i;
const tablet = /ipad|tablet|kindle|silk\/|playbook|android(?!.*mobile)/i;
const phone = /iphone|ipod|android|mobile|windows phone|opera mini/i;

/**
 * Returns the kind of device, or null for robots. Tablets that ask for the desktop version of pages, as
 * iPads do, look like desktops.
 */
export function deviceOf(userAgent: string | undefined): PlayDevice | null {
  if (userAgent === undefined || looksLikeRobot(userAgent)) return null;
  if (tv.test(userAgent)) return "tv";
  if (tablet.test(userAgent)) return "tablet";
  return phone.test(userAgent) ? "phone" : "desktop";
}
