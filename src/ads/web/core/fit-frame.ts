import type { CSSProperties } from "react";
import { maxSlotHeightPx } from "../../contract/ad-frame.ts";

interface FitOptions {
  /** Size declared by the operator for the creative, or null. */
  declared: { widthPx: number; heightPx: number } | null;
  /** True if the slot may grow taller than its reserved space. */
  canGrow: boolean;
  onStyle: (style: CSSProperties) => void;
}

/**
 * Lays out an ad's frame at its natural size and scales it down to the reserved space. The frame is
 * as tall as its content, because its empty part would be a white box on a dark page.
 * @returns `report` receives the content's height. Only the first one changes the space and the
 *   scale. Later ones, such as of pictures that have loaded, only extend the frame in the space.
 */
export function fitFrame(element: HTMLIFrameElement, { declared, canGrow, onStyle }: FitOptions) {
  const space = element.closest<HTMLElement>(".spot-space");
  let reportedPx: number | null = null;
  let contentPx = 0;

  const fit = () => {
    if (space === null) return;
    const widthPx = declared?.widthPx ?? space.clientWidth;
    const heightPx = declared?.heightPx ?? reportedPx;
    if (heightPx === null || widthPx === 0) return onStyle({});
    if (canGrow && declared === null && heightPx > space.clientHeight) {
      space.style.height = `${Math.min(heightPx, maxSlotHeightPx)}px`;
    }
    const scale = Math.min(1, space.clientWidth / widthPx, space.clientHeight / heightPx);
    const shiftPx = Math.max(0, (space.clientWidth - widthPx * scale) / 2);
    const spacePx = space.clientHeight / scale;
    // Content without a height of its own, such as one that is positioned, gets the whole space.
    const ownPx = contentPx === 0 ? spacePx : Math.min(contentPx, spacePx);
    const frameHeightPx = declared === null ? Math.max(heightPx, ownPx) : heightPx;
    onStyle({
      width: `${declared === null ? space.clientWidth / scale : widthPx}px`,
      height: `${frameHeightPx}px`,
      transform:
        scale === 1 && shiftPx === 0
          ? undefined
          : `translateX(${declared === null ? 0 : shiftPx}px) scale(${scale})`,
    });
  };
  fit();
  const observer = new ResizeObserver(fit);
  if (space !== null) observer.observe(space);
  return {
    report(heightPx: number) {
      if (heightPx <= contentPx) return;
      reportedPx ??= heightPx;
      contentPx = heightPx;
      fit();
    },
    stop: () => observer.disconnect(),
  };
}
