import { expandMacros } from "../../contract/vast-macros.ts";
import { createResourceFrame, type FrameResource } from "../core/resource-frame.ts";
import { sponsoredLink } from "../core/sponsored-link.ts";
import type { VastIcon } from "../vast/vast-ad.ts";
import { sendAll } from "../vast/vast-tracker.ts";
import type { AdSession } from "./ad-session.ts";
import { pixelDeps } from "./browser-vast.ts";
import { createElement } from "../core/create-element.ts";

const maxIcons = 3;
const defaultFramePx = { width: 20, height: 20 };
/** Maximum size of a frame, so that it doesn't cover the ad. */
const maxFramePx = { width: 120, height: 40 };

/**
 * Creates icons such as AdChoices, which a player must show over the ad (VAST 4.3, section 3.10).
 * Each is loaded when its time begins, because loading it counts as a view, and removed when its
 * time is over or the ad ends.
 */
export function createAdIcons(icons: readonly VastIcon[], session: AdSession) {
  const root = createElement("div", "spot-break-icons");
  const programs = new Set<string | null>();
  const waiting = new Set<VastIcon>();
  const shown = new Map<VastIcon, HTMLElement>();
  for (const icon of icons) {
    // The first icon of a program is the innermost. Wrappers may repeat it.
    if (programs.has(icon.program) || programs.size >= maxIcons) continue;
    programs.add(icon.program);
    waiting.add(icon);
  }
  return {
    root,
    /** @param positionS position in the ad. */
    setPosition(positionS: number): void {
      for (const icon of waiting) {
        if (positionS < icon.offsetS) continue;
        waiting.delete(icon);
        const { resource } = icon;
        const element =
          resource.kind === "image"
            ? renderPicture(icon, resource.url, session)
            : renderFrame(icon, resource, session);
        shown.set(icon, element);
        root.append(element);
      }
      for (const [icon, element] of shown) {
        if (icon.durationS === null || positionS < icon.offsetS + icon.durationS) continue;
        shown.delete(icon);
        element.remove();
      }
    },
  };
}

function onClick(icon: VastIcon, session: AdSession): void {
  sendAll(icon.clickTracking, {}, pixelDeps);
  session.follow();
}

function renderPicture(icon: VastIcon, url: string, session: AdSession): HTMLElement {
  const image = createElement("img", "");
  image.alt = icon.program ?? "";
  image.referrerPolicy = "no-referrer";
  image.addEventListener("load", () => sendAll(icon.viewTracking, {}, pixelDeps));
  image.addEventListener("error", () => image.parentElement?.remove());
  image.src = url;
  if (icon.clickThrough === null) return createElement("span", "", image);
  const link = createElement("a", "", image);
  // oxlint-disable-next-line kinora/page-path -- The advertiser's address.
  link.href = expandMacros(icon.clickThrough, {}, pixelDeps);
  link.target = sponsoredLink.target;
  link.rel = sponsoredLink.rel;
  link.addEventListener("click", () => onClick(icon, session));
  link.addEventListener("auxclick", (event) => event.button === 1 && onClick(icon, session));
  return link;
}

/** Renders HTML, which has its own links. They open in a new tab. */
function renderFrame(icon: VastIcon, resource: FrameResource, session: AdSession): HTMLElement {
  const { widthPx, heightPx } = icon;
  const frame = createResourceFrame(resource, {
    onShow: () => sendAll(icon.viewTracking, {}, pixelDeps),
    onClick: () => onClick(icon, session),
    signal: session.signal,
  });
  if (icon.program !== null) frame.title = icon.program;
  frame.width = String(Math.min(widthPx ?? defaultFramePx.width, maxFramePx.width));
  frame.height = String(Math.min(heightPx ?? defaultFramePx.height, maxFramePx.height));
  return frame;
}
