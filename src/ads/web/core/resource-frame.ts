import { inLanguage } from "#web/lib/language/page-language.ts";
import { frameSandbox } from "../../contract/ad-frame.ts";
import { isPolicyOrigin, originLimits } from "../../contract/ad-origins.ts";
import { originsOf } from "../../contract/html-sources.ts";
import type { AdResource } from "../vast/vast-ad.ts";
import { listenToFrame } from "./frame-messages.ts";

const adLabel = inLanguage("adLabel");

/** Page or HTML from an ad server. */
export type FrameResource = Exclude<AdResource, { kind: "image" }>;

const pageHtml = (url: string) =>
  `<iframe src="${url.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}" title="Advertisement" style="position:fixed;inset:0;width:100%;height:100%;border:0"></iframe>`;

/**
 * Creates a frame for a page or HTML from an ad server. It is sandboxed like isolated ads: its
 * origin is opaque, and scripts and frames can only come from origins that the HTML contains. It is
 * removed when `signal` aborts.
 */
export function createResourceFrame(
  resource: FrameResource,
  { onShow, onClick, signal }: { onShow: () => void; onClick?: () => void; signal: AbortSignal },
): HTMLIFrameElement {
  const html = resource.kind === "html" ? resource.html : pageHtml(resource.url);
  const origins = originsOf(html).filter(isPolicyOrigin).slice(0, originLimits.ad);
  const frame = document.createElement("iframe");
  frame.title = adLabel.label;
  frame.referrerPolicy = "no-referrer";
  frame.setAttribute("sandbox", frameSandbox);
  frame.setAttribute("scrolling", "no");
  frame.src = `/spots/preview?origins=${encodeURIComponent(origins.join(","))}`;
  const stopListening = listenToFrame(frame, {
    onReady() {
      // The frame's opaque origin has no name, so the target must be "*".
      frame.contentWindow?.postMessage({ spotHtml: html }, "*");
      onShow();
    },
    onClick,
  });
  const remove = () => {
    stopListening();
    frame.remove();
  };
  signal.addEventListener("abort", remove, { once: true });
  return frame;
}
