/** Values that the inline scripts of a page leave for each other and for the app. */
declare global {
  interface Window {
    /** Created by create-video.ts, until place-video.ts puts it into the page. */
    firstVideo?: HTMLVideoElement;
    /** Last button clicked before hydration. */
    earlyClick?: { button: Element | null };
  }
}

/** Set on the root element while the first video has no frame, see first-frame.css. */
export const waitingAttribute = "data-first-video";
/**
 * Maximum milliseconds that scripts, the font and pictures wait for the first frame. On slow 4G, it
 * takes about 2 s.
 */
export const maxWaitMs = 2500;
