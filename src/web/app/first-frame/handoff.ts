/** Values that the inline scripts of a page leave for each other and for the app. */
declare global {
  interface Window {
    /** Created by create-video.ts, until place-video.ts puts it into the page. */
    firstVideo?: HTMLVideoElement;
    /** Until hydration: the button that was clicked last, which nothing could respond to yet. */
    earlyClick?: { button: Element | null };
  }
}

/** On the root element while the first video has no frame; see first-frame.css. */
export const waitingAttribute = "data-first-video";
/**
 * Scripts, font and pictures wait no longer for the first frame, which slow 4G shows after about 2 s.
 */
export const maxWaitMs = 2500;
