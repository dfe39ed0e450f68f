import { sponsoredLink } from "../core/open-link.ts";
import type { VastIcon } from "../vast/vast-ad.ts";
import { sendAll } from "../vast/vast-tracker.ts";
import { make } from "./break-chrome.ts";
import { pixelDeps } from "./browser-vast.ts";

/** Marks such as AdChoices, which an ad obliges its player to show (VAST 4.3, 3.10). */
export function drawIcons(icons: readonly VastIcon[]): HTMLElement {
  const box = make("div", "spot-break-icons");
  const programs = new Set<string | null>();
  for (const icon of icons) {
    // The innermost of a program counts; wrappers may name it again.
    if (programs.has(icon.program) || programs.size >= 3) continue;
    programs.add(icon.program);
    const image = make("img", "");
    image.alt = icon.program ?? "";
    image.referrerPolicy = "no-referrer";
    image.addEventListener("load", () => sendAll(icon.viewTracking, {}, pixelDeps));
    image.addEventListener("error", () => image.parentElement?.remove());
    image.src = icon.imageUrl;
    if (icon.clickThrough === null) {
      box.append(make("span", "", image));
      continue;
    }
    const link = make("a", "", image);
    link.href = icon.clickThrough;
    link.target = sponsoredLink.target;
    link.rel = sponsoredLink.rel;
    link.addEventListener("click", () => sendAll(icon.clickTracking, {}, pixelDeps));
    box.append(link);
  }
  return box;
}
