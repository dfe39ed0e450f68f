import type { MediaAdapter } from "./media-adapter.ts";

interface SwitchOptions {
  current: HTMLVideoElement;
  adapter: MediaAdapter;
  isPlaying(): boolean;
  signal: AbortSignal;
}

/** How long the second element may take before the first one simply stays. */
const patienceMs = 20_000;
/** The second element is filled from here on, so that its first frame is ready when its time comes. */
const leadS = 1.5;

function once(target: EventTarget, name: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    target.addEventListener(name, () => resolve(), { once: true, signal });
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

function frame(media: HTMLVideoElement, signal: AbortSignal): Promise<void> {
  if (typeof media.requestVideoFrameCallback !== "function") return Promise.resolve();
  return new Promise((resolve, reject) => {
    media.requestVideoFrameCallback(() => resolve());
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** Resolves when `media` has come to `positionS`, or stands still. */
async function reach(
  media: HTMLVideoElement,
  positionS: number,
  signal: AbortSignal,
): Promise<void> {
  while (!media.paused && media.currentTime < positionS) {
    signal.throwIfAborted();
    await new Promise((resolve) =>
      setTimeout(resolve, Math.min(50, 1000 * (positionS - media.currentTime))),
    );
  }
}

function createTwin(current: HTMLVideoElement): HTMLVideoElement {
  const twin = document.createElement("video");
  twin.className = current.className;
  twin.playsInline = true;
  twin.muted = true;
  twin.preload = "auto";
  twin.setAttribute("aria-label", current.getAttribute("aria-label") ?? "");
  // Outside the page it has no size of its own, and the size caps the rendition.
  twin.width = current.clientWidth;
  twin.height = current.clientHeight;
  twin.style.opacity = "0";
  return twin;
}

/**
 * Replaces a playing element by one that `adapter` fills, at the same picture and without a second
 * sound: the twin is silent until it is seen. Null (and the old element untouched) when the twin
 * was not ready in time.
 */
export async function switchElement(options: SwitchOptions): Promise<HTMLVideoElement | null> {
  const { current, adapter } = options;
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(patienceMs)]);
  const twin = createTwin(current);
  try {
    const startS = current.currentTime + (current.paused ? 0 : leadS * current.playbackRate);
    const isReady = once(twin, "canplay", signal);
    adapter.attach(twin, Math.min(startS, Math.max(0, current.duration - 0.5)));
    await isReady;
    twin.playbackRate = current.playbackRate;
    twin.volume = current.volume;
    if (!current.paused) {
      // Loading may have taken longer than the lead; then the twin follows the picture.
      if (twin.currentTime < current.currentTime) {
        const isThere = once(twin, "seeked", signal);
        twin.currentTime = current.currentTime + 0.3 * current.playbackRate;
        await isThere;
      }
      await reach(current, twin.currentTime, signal);
    } else if (Math.abs(twin.currentTime - current.currentTime) > 0.05) {
      const isThere = once(twin, "seeked", signal);
      twin.currentTime = current.currentTime;
      await isThere;
    }
    signal.throwIfAborted();
    // It joins the page for the moment of the change only.
    current.after(twin);
    if (!current.paused) {
      const isShown = frame(twin, signal);
      await twin.play();
      await isShown;
    }
    signal.throwIfAborted();
    // The visitor has jumped meanwhile: another time.
    if (Math.abs(twin.currentTime - current.currentTime) > 0.7) throw new Error("out of step");
    const { muted, paused } = current;
    current.muted = true;
    twin.muted = muted;
    twin.style.opacity = "";
    if (paused) twin.pause();
    current.pause();
    current.remove();
    twin.removeAttribute("width");
    twin.removeAttribute("height");
    return twin;
  } catch (error) {
    twin.remove();
    if (!signal.aborted) console.warn("the better rendition could not take over", error);
    return null;
  }
}
