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
 * A page without a language in its address opens in the one that the visitor chose, or else the
 * browser asks for. Here and not on the server, so that a page is the same for everyone, in caches
 * too. Robots get each address as it is.
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
 * Before the first paint: the language and the theme of this visitor, whether they accepted ads that
 * run in the page, the ad slots they closed, for which no space is reserved, whether the home page has
 * a row of what they follow, and whether the player is wide. The page itself is the same for everyone.
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
  // Storage is off: the theme follows the system.
}
