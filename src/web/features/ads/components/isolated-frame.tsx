import { useEffect, useRef, useState, type CSSProperties } from "react";
import { frameSandbox, maxSlotHeightPx } from "../../../../contract/ad-frame.ts";
import type { PublicAd } from "../../../../contract/ads.ts";
import { listenToFrame } from "../core/frame-messages.ts";

interface IsolatedFrameProps {
  ad: PublicAd;
  canGrow: boolean;
  onClick: () => void;
}

/**
 * The HTML of an ad in a frame with an opaque origin. It is rendered at its natural size and scaled
 * down to the reserved space. The frame opens its links itself.
 */
export function IsolatedFrame({ ad, canGrow, onClick }: IsolatedFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [style, setStyle] = useState<CSSProperties>({});

  useEffect(() => {
    const element = frame.current;
    const space = element?.closest<HTMLElement>(".spot-space") ?? null;
    if (element === null) return undefined;
    const declared =
      ad.widthPx === null || ad.heightPx === null
        ? null
        : { widthPx: ad.widthPx, heightPx: ad.heightPx };
    let reportedPx: number | null = null;

    const fit = () => {
      if (space === null) return;
      const widthPx = declared?.widthPx ?? space.clientWidth;
      const heightPx = declared?.heightPx ?? reportedPx;
      if (heightPx === null || widthPx === 0) return setStyle({});
      if (canGrow && declared === null && heightPx > space.clientHeight) {
        space.style.height = `${Math.min(heightPx, maxSlotHeightPx)}px`;
      }
      const scale = Math.min(1, space.clientWidth / widthPx, space.clientHeight / heightPx);
      const shiftPx = Math.max(0, (space.clientWidth - widthPx * scale) / 2);
      const frameHeightPx =
        declared === null ? Math.max(heightPx, space.clientHeight / scale) : heightPx;
      setStyle({
        width: `${declared === null ? space.clientWidth / scale : widthPx}px`,
        height: `${frameHeightPx}px`,
        transform:
          scale === 1 && shiftPx === 0
            ? undefined
            : `translateX(${declared === null ? 0 : shiftPx}px) scale(${scale})`,
      });
    };
    const stop = listenToFrame(element, {
      onSize({ heightPx }) {
        if (reportedPx !== null) return;
        reportedPx = heightPx;
        fit();
      },
      onClick,
    });
    fit();
    const observer = new ResizeObserver(fit);
    if (space !== null) observer.observe(space);
    return () => {
      stop();
      observer.disconnect();
    };
    // One frame per ad: a new callback must not create it again.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [ad, canGrow]);

  return (
    <iframe
      ref={frame}
      className="spot-fill spot-frame"
      style={style}
      title={ad.title}
      // Tells the document that its content does not scroll.
      name="fixed"
      src={`/spots/frame/${ad.id}`}
      sandbox={frameSandbox}
      referrerPolicy="no-referrer"
      scrolling="no"
    />
  );
}
