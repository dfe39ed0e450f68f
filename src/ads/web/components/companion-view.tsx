import { useEffect, useRef, type CSSProperties } from "react";
import { frameSandbox } from "../../contract/ad-frame.ts";
import { isPolicyOrigin, originLimits } from "../../contract/ad-origins.ts";
import { originsOf } from "../../contract/html-sources.ts";
import { expandMacros } from "../../contract/vast-macros.ts";
import { adLabel } from "../ad-label.ts";
import { listenToFrame } from "../core/frame-messages.ts";
import { sponsoredLink } from "../core/sponsored-link.ts";
import type { Companion } from "../vast/vast-ad.ts";
import { sendAll } from "../vast/vast-tracker.ts";
import { pixelDeps } from "../video/browser-vast.ts";

/** Companion of the current video ad, centred in a slot, in its own size. */
export function CompanionView({ companion }: { companion: Companion }) {
  const { widthPx, heightPx, resource, clickThrough, altText } = companion;
  const isSeen = useRef(false);
  const noteSeen = () => {
    if (isSeen.current) return;
    isSeen.current = true;
    sendAll(companion.viewTracking, {}, pixelDeps);
  };
  const style: CSSProperties = { width: widthPx, height: heightPx, margin: "auto" };
  if (resource.kind !== "image") {
    const html = resource.kind === "html" ? resource.html : frameHtml(resource.url);
    return <CompanionFrame html={html} style={style} onShow={noteSeen} />;
  }
  const picture = (
    <img
      className="spot-image"
      src={resource.url}
      alt={altText ?? adLabel.label}
      referrerPolicy="no-referrer"
      onLoad={noteSeen}
    />
  );
  if (clickThrough === null) {
    return (
      <div className="spot-fill" style={style}>
        {picture}
      </div>
    );
  }
  const noteClick = () => sendAll(companion.clickTracking, {}, pixelDeps);
  return (
    <a
      href={expandMacros(clickThrough, {}, pixelDeps)}
      {...sponsoredLink}
      className="spot-fill"
      style={style}
      onClick={noteClick}
      onAuxClick={(event) => event.button === 1 && noteClick()}
    >
      {picture}
    </a>
  );
}

const frameHtml = (url: string) =>
  `<iframe src="${url.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}" title="Advertisement" style="position:fixed;inset:0;width:100%;height:100%;border:0"></iframe>`;

/**
 * Ad server's HTML in a document with an opaque origin, which allows scripts and frames from the
 * HTML's own origins.
 */
function CompanionFrame({
  html,
  style,
  onShow,
}: {
  html: string;
  style: CSSProperties;
  onShow: () => void;
}) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    return listenToFrame(element, {
      onReady() {
        // The frame's opaque origin has no name, so the target must be "*".
        element.contentWindow?.postMessage({ spotHtml: html }, "*");
        onShow();
      },
    });
    // One document for each HTML.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [html]);
  const origins = originsOf(html).filter(isPolicyOrigin).slice(0, originLimits.ad);
  return (
    <iframe
      ref={frame}
      className="spot-fill spot-frame"
      style={{ ...style, right: 0 }}
      title={adLabel.label}
      src={`/spots/preview?origins=${encodeURIComponent(origins.join(","))}`}
      sandbox={frameSandbox}
      referrerPolicy="no-referrer"
      scrolling="no"
    />
  );
}
