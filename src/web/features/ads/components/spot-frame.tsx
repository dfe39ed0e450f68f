import { useEffect, useRef, useState, type CSSProperties } from "react";
import type { PublicAd } from "../../../../contract/ads.ts";
import { frameSandbox, listenToFrame } from "../core/frame-messages.ts";
import { openLink } from "../core/open-link.ts";

interface SpotFrameProps {
  ad: PublicAd;
  mayGrow: boolean;
  onClick: () => void;
}

/** No place grows beyond this, whatever its ad says of its height. */
const tallestPx = 600;

/**
 * The ad's HTML in a frame of its own without an origin. It is drawn at its natural size and scaled
 * down where its room is smaller.
 */
export function SpotFrame({ ad, mayGrow, onClick }: SpotFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [style, setStyle] = useState<CSSProperties>({});

  useEffect(() => {
    const element = frame.current;
    const room = element?.closest<HTMLElement>(".spot-room") ?? null;
    if (element === null) return undefined;
    const declared =
      ad.widthPx === null || ad.heightPx === null
        ? null
        : { widthPx: ad.widthPx, heightPx: ad.heightPx };
    let saidPx: number | null = null;

    const fit = () => {
      if (room === null) return;
      const widthPx = declared?.widthPx ?? room.clientWidth;
      const heightPx = declared?.heightPx ?? saidPx;
      if (heightPx === null || widthPx === 0) return setStyle({});
      if (mayGrow && declared === null && heightPx > room.clientHeight) {
        room.style.height = `${Math.min(heightPx, tallestPx)}px`;
      }
      const scale = Math.min(1, room.clientWidth / widthPx, room.clientHeight / heightPx);
      const shiftPx = Math.max(0, (room.clientWidth - widthPx * scale) / 2);
      const tall = declared === null ? Math.max(heightPx, room.clientHeight / scale) : heightPx;
      setStyle({
        width: `${declared === null ? room.clientWidth / scale : widthPx}px`,
        height: `${tall}px`,
        transform:
          scale === 1 && shiftPx === 0
            ? undefined
            : `translateX(${declared === null ? 0 : shiftPx}px) scale(${scale})`,
      });
    };
    const stop = listenToFrame(element, (message) => {
      if (message.kind === "size" && saidPx === null) {
        saidPx = message.heightPx;
        fit();
      } else if (message.kind === "follow") onClick();
      else if (message.kind === "press" && ad.linkUrl !== null) {
        onClick();
        openLink(ad.linkUrl);
      }
    });
    fit();
    const observer = new ResizeObserver(fit);
    if (room !== null) observer.observe(room);
    return () => {
      stop();
      observer.disconnect();
    };
    // The frame is made once per ad.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [ad, mayGrow]);

  return (
    <iframe
      ref={frame}
      className="spot-fill spot-frame"
      style={style}
      title={ad.title}
      src={`/spots/frame/${ad.id}`}
      sandbox={frameSandbox}
      referrerPolicy="no-referrer"
      scrolling="no"
    />
  );
}
