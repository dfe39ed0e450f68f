import { readClosedSlots } from "#ads/web/closed-slots.ts";
import {
  closedSlotsKey,
  followsKey,
  languageKey,
  playerKey,
  themeKey,
} from "#web/lib/device-storage.ts";
import { isChosenTheme } from "#web/lib/theme.ts";

/**
 * Opens a page without a language in its URL in the visitor's chosen language or the browser's.
 * This is decided in the browser, so that cached pages are the same for everyone. Bots get each URL
 * unchanged.
 */
function openInOwnLanguage(offered: string): void {
  const codes = offered.split(" ");
  const asked = [localStorage.getItem(languageKey) ?? navigator.languages].flat();
  const own = asked.map((tag) => tag.slice(0, 2)).find((code) => codes.includes(code));
  const isRobot = /bot|crawl|spider/i.test(navigator.userAgent);
  if (own === undefined || own === document.documentElement.lang || isRobot) return;
  const { pathname, search, hash } = location;
  location.replace(`/${own}${pathname === "/" ? "" : pathname}${search}${hash}`);
}

/**
 * Applies the visitor's choices before the first paint: language, theme, consent to ads, closed ad
 * slots, followed labels and theatre mode. The page itself is the same for everyone.
 */
try {
  const { dataset } = document.documentElement;
  if (/(^|; )consent=yes/.test(document.cookie)) dataset["consent"] = "yes";
  const theme = localStorage.getItem(themeKey);
  if (isChosenTheme(theme)) dataset["theme"] = theme;
  const closed = readClosedSlots(localStorage.getItem(closedSlotsKey), Date.now());
  if (localStorage.getItem(followsKey) !== null) dataset["follows"] = "";
  if (localStorage.getItem(playerKey)?.includes('"isTheatre":true')) dataset["theatre"] = "";
  dataset["closed"] = [...closed.keys()].join(" ");
  const offered = dataset["languages"];
  if (offered !== undefined) openInOwnLanguage(offered);
} catch {
  // Storage is off, so the theme follows the system.
}
