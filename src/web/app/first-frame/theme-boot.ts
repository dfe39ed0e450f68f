import { readClosedSlots } from "../../features/ads/core/closed-slots.ts";
import { closedSlotsKey, followsKey, playerKey, themeKey } from "../../lib/device-storage.ts";
import { isChosenTheme } from "../../lib/theme.ts";

/**
 * Before the first paint: the theme this visitor chose, and the ad slots they closed, for which no
 * space is reserved, whether the home page has a row of what they follow, and
 * whether the player is wide. The page itself is the same for every visitor.
 */
try {
  const { dataset } = document.documentElement;
  const theme = localStorage.getItem(themeKey);
  if (isChosenTheme(theme)) dataset["theme"] = theme;
  const closed = readClosedSlots(localStorage.getItem(closedSlotsKey), Date.now());
  if (localStorage.getItem(followsKey) !== null) dataset["follows"] = "";
  if (localStorage.getItem(playerKey)?.includes('"isTheatre":true')) dataset["theatre"] = "";
  dataset["closed"] = [...closed.keys()].join(" ");
} catch {
  // Storage is off: the theme follows the system.
}
