/** What the document of an ad says to the page around it. Everything in it is a claim. */
export type FrameMessage =
  | { kind: "size"; widthPx: number; heightPx: number }
  | { kind: "load" }
  /** A link of the ad was followed. */
  | { kind: "follow" }
  /** The ad was pressed where it has no link of its own. */
  | { kind: "press" }
  | { kind: "ready" };

const tallestPx = 4000;

function clampPx(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value)
    ? Math.min(Math.max(0, Math.round(value)), tallestPx)
    : 0;
}

/** Reads a message, or null for anything else. */
export function readFrameMessage(data: unknown): FrameMessage | null {
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
    case "press":
    case "ready":
      return { kind: data.spot };
    default:
      return null;
  }
}

/** Listens to one frame only: other windows may say what they like. */
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

/** The element's half of the walls; the header of the document is the other. */
export const frameSandbox = "allow-scripts allow-popups allow-popups-to-escape-sandbox";
