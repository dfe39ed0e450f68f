import { absoluteUrl } from "../../contract/vast-address.ts";
import type { Companion } from "./vast-ad.ts";
import { children, text } from "./xml-nodes.ts";

/** Maximum number of companions. Regular ads don't have more. Further companions are ignored. */
const maxCompanions = 20;

/**
 * Returns an ad's `<Companion>`s that a page can show. @param body its `<InLine>` or `<Wrapper>`.
 */
export function readCompanions(body: Element, baseUrl: string): Companion[] {
  return children(body, "Creatives")
    .flatMap((creatives) => children(creatives, "Creative"))
    .flatMap((creative) => children(creative, "CompanionAds"))
    .flatMap((list) => children(list, "Companion"))
    .slice(0, maxCompanions)
    .flatMap((element) => readCompanion(element, baseUrl) ?? []);
}

function readCompanion(element: Element, baseUrl: string): Companion | null {
  const widthPx = sizeOf(element, "width");
  const heightPx = sizeOf(element, "height");
  const resource = readResource(element, baseUrl);
  if (widthPx === null || heightPx === null || resource === null) return null;
  const urls = (nodes: Element[]) =>
    nodes.flatMap((node) => absoluteUrl(text(node), baseUrl) ?? []);
  const events = children(element, "TrackingEvents").flatMap((list) => children(list, "Tracking"));
  return {
    widthPx,
    heightPx,
    resource,
    altText: text(children(element, "AltText")[0]) || null,
    clickThrough: absoluteUrl(text(children(element, "CompanionClickThrough")[0]), baseUrl),
    clickTracking: urls(children(element, "CompanionClickTracking")),
    viewTracking: urls(events.filter((node) => node.getAttribute("event") === "creativeView")),
  };
}

function sizeOf(element: Element, name: string): number | null {
  const px = Number(element.getAttribute(name)?.trim());
  return Number.isInteger(px) && px > 0 && px <= 4000 ? px : null;
}

/** Prefers pictures, because they need no frame. */
function readResource(element: Element, baseUrl: string): Companion["resource"] | null {
  const picture = children(element, "StaticResource").find((node) =>
    /^\s*(image\/|$)/i.test(node.getAttribute("creativeType") ?? ""),
  );
  const pictureUrl = absoluteUrl(text(picture), baseUrl);
  if (pictureUrl !== null) return { kind: "image", url: pictureUrl };
  const html = text(children(element, "HTMLResource")[0]);
  if (html !== "") return { kind: "html", html };
  const frameUrl = absoluteUrl(text(children(element, "IFrameResource")[0]), baseUrl);
  return frameUrl === null ? null : { kind: "frame", url: frameUrl };
}
