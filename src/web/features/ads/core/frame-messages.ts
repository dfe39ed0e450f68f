/** A message from the document of an ad to the page around it. The ad can send any values. */
type FrameMessage =
  | { kind: "size"; widthPx: number; heightPx: number }
  | { kind: "load" }
  /** A link of the ad was followed. */
  | { kind: "follow" }
  /** A click where the ad has no link of its own. */
  | { kind: "click" }
  /** The document of the preview waits for its HTML. */
  | { kind: "ready" };

const maxSizePx = 4000;

function clampPx(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value)
    ? Math.min(Math.max(0, Math.round(value)), maxSizePx)
    : 0;
}

/** Reads a message; null for anything else. */
function readFrameMessage(data: unknown): FrameMessage | null {
  if (typeof data !== "object" || data === null || !("spot" in data)) return null;
  switch (data.spot) {
    case "size":
      return {
        kind: "size",
        widthPx: clampPx("widthPx" in data ? data.widthPx : 0),
        heightPx: clampPx("heightPx" in data ? data.heightPx : 0),
      };
    case "load":
    case "follow":
    case "click":
    case "ready":
      return { kind: data.spot };
    default:
      return null;
  }
}

/** Listens to one frame only. Messages of other windows are ignored. */
export function listenToFrame(
  frame: HTMLIFrameElement,
  listener: (message: FrameMessage) => void,
): () => void {
  const receive = (event: MessageEvent<unknown>) => {
    if (event.source === null || event.source !== frame.contentWindow) return;
    const message = readFrameMessage(event.data);
    if (message !== null) listener(message);
  };
  window.addEventListener("message", receive);
  return () => window.removeEventListener("message", receive);
}
