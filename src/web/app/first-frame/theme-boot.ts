import { closedSlotsKey, readClosedSlots } from "../../features/ads/core/closed-slots.ts";
import { isChosenTheme, themeKey } from "../../lib/theme.ts";

/**
 * Before the first paint: the theme this visitor chose, and the ad slots they closed, for which no
 * space is reserved. The page itself is the same for every visitor.
 */
try {
  const { dataset } = document.documentElement;
  const theme = localStorage.getItem(themeKey);
  if (isChosenTheme(theme)) dataset["theme"] = theme;
  const closed = readClosedSlots(localStorage.getItem(closedSlotsKey), Date.now());
  dataset["closed"] = [...closed.keys()].join(" ");
} catch {
  // Storage is off: the theme follows the system.
}
