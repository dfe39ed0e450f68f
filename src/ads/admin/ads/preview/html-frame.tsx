import { useEffect, useRef, useState, type CSSProperties } from "react";
import { frameSandbox } from "#ads/contract/ad-frame.ts";
import { fitFrame } from "#ads/web/core/fit-frame.ts";
import { listenToFrame, type Blocked } from "#ads/web/core/frame-messages.ts";
import { classNames } from "#web/components/ui/class-names.ts";
import type { StagedAd } from "./staged-ad.ts";

/** Shows the HTML in the same sandbox as on the site, so that it never runs in the back office. */
export function HtmlFrame({
  ad: { html, origins, widthPx, heightPx },
  canGrow,
  isBreak,
  onBlocked,
}: {
  ad: StagedAd;
  /** Lets the slot grow to the height of its content. */
  canGrow: boolean;
  /** True in an ad break, which the HTML fills without being scaled. */
  isBreak: boolean;
  onBlocked: (blocked: Blocked) => void;
}) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [style, setStyle] = useState<CSSProperties>({});
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const declared = widthPx === null || heightPx === null ? null : { widthPx, heightPx };
    const fitting = fitFrame(element, { declared, canGrow, onStyle: setStyle });
    const stop = listenToFrame(element, {
      onReady: () => element.contentWindow?.postMessage({ spotHtml: html }, "*"),
      onSize: (size) => fitting.report(size.heightPx),
      onBlocked,
    });
    return () => {
      stop();
      fitting.stop();
    };
    // A new callback must not show the HTML again.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [html, origins, canGrow, widthPx, heightPx]);
  return (
    <iframe
      // Like in `isolated-frame.tsx`.
      key={origins}
      ref={frame}
      title="HTML preview"
      src={`/spots/preview?origins=${encodeURIComponent(origins)}`}
      sandbox={frameSandbox}
      referrerPolicy="no-referrer"
      scrolling={isBreak ? undefined : "no"}
      className={classNames(isBreak ? "spot-break-html spot-break-frame" : "spot-fill spot-frame")}
      style={isBreak ? undefined : style}
    />
  );
}
