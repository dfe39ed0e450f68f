import { sponsoredLink } from "../core/sponsored-link.ts";
import type { VastIcon } from "../vast/vast-ad.ts";
import { sendAll } from "../vast/vast-tracker.ts";
import { pixelDeps } from "./browser-vast.ts";
import { createElement } from "./create-element.ts";

/** Icons such as AdChoices that a player must show over the ad (VAST 4.3, section 3.10). */
export function renderIcons(icons: readonly VastIcon[]): HTMLElement {
  const box = createElement("div", "spot-break-icons");
  const programs = new Set<string | null>();
  for (const icon of icons) {
    // The first icon of a program is the innermost; wrappers may repeat it.
    if (programs.has(icon.program) || programs.size >= 3) continue;
    programs.add(icon.program);
    const image = createElement("img", "");
    image.alt = icon.program ?? "";
    image.referrerPolicy = "no-referrer";
    image.addEventListener("load", () => sendAll(icon.viewTracking, {}, pixelDeps));
    image.addEventListener("error", () => image.parentElement?.remove());
    image.src = icon.imageUrl;
    if (icon.clickThrough === null) {
      box.append(createElement("span", "", image));
      continue;
    }
    const link = createElement("a", "", image);
    link.href = icon.clickThrough;
    link.target = sponsoredLink.target;
    link.rel = sponsoredLink.rel;
    link.addEventListener("click", () => sendAll(icon.clickTracking, {}, pixelDeps));
    box.append(link);
  }
  return box;
}
