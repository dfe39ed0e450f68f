import { useEffect, useRef, type CSSProperties } from "react";
import { inLanguage } from "#web/lib/language/page-language.ts";
import { expandMacros } from "../../contract/vast-macros.ts";
import { createResourceFrame, type FrameResource } from "../core/resource-frame.ts";
import { sponsoredLink } from "../core/sponsored-link.ts";
import type { Companion } from "../vast/vast-ad.ts";
import { sendAll } from "../vast/vast-tracker.ts";
import { pixelDeps } from "../video/browser-vast.ts";

const adLabel = inLanguage("adLabel");

/** Shows a companion of the current video ad, centered in a slot in its original size. */
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
    return <CompanionFrame resource={resource} style={style} onShow={noteSeen} />;
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
      // oxlint-disable-next-line kinora/page-path -- The advertiser's address.
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

/** Shows an ad server's HTML in a document with an opaque origin. */
function CompanionFrame(props: {
  resource: FrameResource;
  style: CSSProperties;
  onShow: () => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const { resource, style, onShow } = props;
  useEffect(() => {
    const life = new AbortController();
    const frame = createResourceFrame(resource, { onShow, signal: life.signal });
    frame.className = "spot-fill spot-frame";
    box.current?.append(frame);
    return () => life.abort();
    // One document for each resource.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [resource]);
  return <div ref={box} className="spot-fill" style={{ ...style, right: 0 }} />;
}
