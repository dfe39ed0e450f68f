import { readClosedSlots } from "#ads/web/closed-slots.ts";
import {
  closedSlotsKey,
  followsKey,
  languageKey,
  playerKey,
  readStored,
  themeKey,
} from "#web/lib/device-storage.ts";
import { colorBars, isChosenTheme } from "#web/lib/theme.ts";

/** Returns the page's cookies. An embed in a sandboxed frame has none, and throws if asked. */
function readCookies(): string {
  try {
    return document.cookie;
  } catch {
    return "";
  }
}

/**
 * Opens a page without a language in its URL in the visitor's chosen language or the browser's.
 * This is decided in the browser, so that cached pages are the same for everyone. Bots get each URL
 * unchanged.
 */
function openInOwnLanguage(offered: string): void {
  const codes = offered.split(" ");
  const chosen = readStored(languageKey);
  // Without a stored choice, following a link of this site counts as choosing its language.
  if (chosen === null && document.referrer.startsWith(`${location.origin}/`)) return;
  const asked = [chosen ?? navigator.languages].flat();
  const own = asked.map((tag) => tag.slice(0, 2)).find((code) => codes.includes(code));
  const isRobot = /bot|crawl|spider/i.test(navigator.userAgent);
  if (own === undefined || own === document.documentElement.lang || isRobot) return;
  const { pathname, search, hash } = location;
  // oxlint-disable-next-line kinora/page-path -- Puts the language into the address.
  location.replace(`/${own}${pathname === "/" ? "" : pathname}${search}${hash}`);
}

/**
 * Applies the visitor's choices before the first paint: language, theme, consent to ads, closed ad
 * slots, followed labels and theater mode. The page itself is the same for everyone.
 */
const { dataset } = document.documentElement;
if (/(^|; )consent=yes/.test(readCookies())) dataset["consent"] = "yes";
const theme = readStored(themeKey);
if (isChosenTheme(theme)) {
  dataset["theme"] = theme;
  colorBars(theme);
}
const closed = readClosedSlots(readStored(closedSlotsKey), Date.now());
if (readStored(followsKey) !== null) dataset["follows"] = "";
if (readStored(playerKey)?.includes('"isTheatre":true') === true) dataset["theatre"] = "";
dataset["closed"] = [...closed.keys()].join(" ");
const offered = dataset["languages"];
if (offered !== undefined) openInOwnLanguage(offered);
