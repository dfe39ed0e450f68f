/** Handlers for messages from an ad's document to the page. The ad can send any values. */
interface FrameHandlers {
  onSize?: (size: { widthPx: number; heightPx: number }) => void;
  /** Called at most once, and only after the visitor's gesture in the frame. */
  onClick?: () => void;
  /** Called when the preview's document is ready for its HTML. */
  onReady?: () => void;
  /** Called when the preview's policy has blocked a script or frame from this origin. */
  onBlocked?: (blocked: Blocked) => void;
}

export interface Blocked {
  kind: "script" | "frame";
  origin: string;
}

const maxSizePx = 4000;

function clampPx(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value)
    ? Math.min(Math.max(0, Math.round(value)), maxSizePx)
    : 0;
}

function readBlocked(data: object): Blocked | null {
  if (!("directive" in data) || !("address" in data)) return null;
  const url = URL.parse(String(data.address));
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  const kind = String(data.directive).startsWith("frame-src") ? "frame" : "script";
  return { kind, origin: url.origin };
}

/**
 * Listens to one frame and ignores messages from other windows.
 * @returns a function that stops listening.
 */
export function listenToFrame(frame: HTMLIFrameElement, handlers: FrameHandlers): () => void {
  let isClicked = false;
  const receive = ({ source, data }: MessageEvent<unknown>) => {
    if (source === null || source !== frame.contentWindow) return;
    if (typeof data !== "object" || data === null || !("spot" in data)) return;
    if (data.spot === "ready") handlers.onReady?.();
    else if (data.spot === "blocked") {
      const blocked = readBlocked(data);
      if (blocked !== null) handlers.onBlocked?.(blocked);
    } else if (data.spot === "size") {
      handlers.onSize?.({
        widthPx: clampPx("widthPx" in data ? data.widthPx : 0),
        heightPx: clampPx("heightPx" in data ? data.heightPx : 0),
      });
    } else if (data.spot === "click" && !isClicked && hasGestureIn(frame)) {
      isClicked = true;
      handlers.onClick?.();
    }
  };
  // Page that contains the frame. In the back office's preview, this is a frame too.
  const page = frame.ownerDocument.defaultView ?? window;
  page.addEventListener("message", receive);
  return () => page.removeEventListener("message", receive);
}

/**
 * Returns whether the visitor may have clicked in the frame, because it has the focus and there was
 * a gesture. A gesture in a frame also activates the page around it. The frame's own document
 * checks that the gesture was in the frame (`ad-frame.ts`).
 */
function hasGestureIn(frame: HTMLIFrameElement): boolean {
  // Browsers before 2023 don't report gestures, so no click is counted.
  if (!("userActivation" in navigator)) return false;
  return document.activeElement === frame && navigator.userActivation.hasBeenActive;
}
