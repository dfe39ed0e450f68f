import { useEffect, useRef, useState, type CSSProperties } from "react";
import { frameSandbox, supportsColorScheme } from "../../contract/ad-frame.ts";
import type { PublicAd } from "../../contract/ads.ts";
import { fitFrame } from "../core/fit-frame.ts";
import { listenToFrame } from "../core/frame-messages.ts";

interface IsolatedFrameProps {
  ad: PublicAd;
  canGrow: boolean;
  onClick: () => void;
}

/**
 * Shows an ad's HTML in a frame with an opaque origin. The HTML is rendered at its natural size and
 * scaled down to the reserved space. The frame opens its links itself.
 */
export function IsolatedFrame({ ad, canGrow, onClick }: IsolatedFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [style, setStyle] = useState<CSSProperties>({});

  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const { widthPx, heightPx } = ad;
    const declared = widthPx === null || heightPx === null ? null : { widthPx, heightPx };
    const fitting = fitFrame(element, { declared, canGrow, onStyle: setStyle });
    const stop = listenToFrame(element, {
      onSize: (size) => fitting.report(size.heightPx),
      onClick,
    });
    return () => {
      stop();
      fitting.stop();
    };
    // A new callback must not recreate the frame.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [ad, canGrow]);

  return (
    <iframe
      // A frame that loads another ad would add an entry to the tab's history, which traps Back.
      key={ad.id}
      ref={frame}
      className="spot-fill spot-frame"
      style={style}
      data-scheme={supportsColorScheme(ad.content ?? "") ? "" : undefined}
      title={ad.title}
      // This name tells the document that its content must not scroll.
      name="fixed"
      src={`/spots/frame/${ad.id}`}
      sandbox={frameSandbox}
      referrerPolicy="no-referrer"
      scrolling="no"
    />
  );
}
