import { setVolume, volumeOf } from "../player-state.ts";
import type { MediaAdapter } from "./media-adapter.ts";

interface SwitchOptions {
  current: HTMLVideoElement;
  adapter: MediaAdapter;
  /** Factor applied to the volume, see `setVolume`. */
  gain: number;
  signal: AbortSignal;
}

/** After this time, the first element stays. */
const timeoutMs = 20_000;
/** The second element starts this many seconds ahead, so that its first frame is ready in time. */
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

/** Resolves when `media` has reached `positionS` or is paused. */
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

function createReplacement(current: HTMLVideoElement): HTMLVideoElement {
  const replacement = document.createElement("video");
  replacement.className = current.className;
  replacement.playsInline = true;
  replacement.muted = true;
  replacement.preload = "auto";
  replacement.setAttribute("aria-label", current.getAttribute("aria-label") ?? "");
  // Outside the document, the element has no size, and hls.js limits the rendition to the size.
  replacement.width = current.clientWidth;
  replacement.height = current.clientHeight;
  replacement.style.opacity = "0";
  return replacement;
}

/**
 * Replaces an element at the same frame with one that `adapter` fills. The second element is silent
 * until it is shown. Otherwise leaves the first element untouched.
 * @returns the second element, "interrupted" if the visitor went to another position during playback
 * or the video has ended, or null if the second element wasn't ready in time.
 */
export async function switchElement(
  options: SwitchOptions,
): Promise<HTMLVideoElement | "interrupted" | null> {
  const { current, adapter } = options;
  const interruption = new AbortController();
  const signals = [options.signal, AbortSignal.timeout(timeoutMs), interruption.signal];
  const signal = AbortSignal.any(signals);
  const interrupt = () => {
    // While paused, the second element follows below. At the end, it would play the last frame again.
    if (!current.paused || current.ended) interruption.abort();
  };
  for (const name of ["seeking", "ended"]) current.addEventListener(name, interrupt, { signal });
  const replacement = createReplacement(current);
  const isApart = () => Math.abs(replacement.currentTime - current.currentTime) > 0.05;
  try {
    if (current.ended) interrupt();
    signal.throwIfAborted();
    const startS = current.currentTime + (current.paused ? 0 : leadS * current.playbackRate);
    const isReady = once(replacement, "canplay", signal);
    adapter.attach(replacement, Math.min(startS, Math.max(0, current.duration - 0.5)));
    await isReady;
    replacement.playbackRate = current.playbackRate;
    if (!current.paused) {
      // Loading may have taken longer than the lead. The second element then catches up.
      if (replacement.currentTime < current.currentTime) {
        const isThere = once(replacement, "seeked", signal);
        replacement.currentTime = current.currentTime + 0.3 * current.playbackRate;
        await isThere;
      }
      await reach(current, replacement.currentTime, signal);
    }
    // The visitor may have paused meanwhile.
    if (current.paused && isApart()) {
      const isThere = once(replacement, "seeked", signal);
      replacement.currentTime = current.currentTime;
      await isThere;
    }
    signal.throwIfAborted();
    // Both are in the document only for the moment of the switch.
    current.after(replacement);
    if (!current.paused) {
      const isShown = frame(replacement, signal);
      await replacement.play();
      await isShown;
    }
    signal.throwIfAborted();
    // When the visitor leaves the page, the first element moves to the mini player.
    if (current.nextSibling !== replacement) throw new Error("the first element has moved");
    if (document.pictureInPictureElement === current) throw new Error("another window shows it");
    // Playback has stalled. A later attempt may succeed.
    if (Math.abs(replacement.currentTime - current.currentTime) > 0.7)
      throw new Error("out of step");
    const { muted, paused } = current;
    // Both may have changed since the replacement began to load.
    replacement.playbackRate = current.playbackRate;
    replacement.defaultPlaybackRate = current.defaultPlaybackRate;
    setVolume(replacement, volumeOf(current), options.gain);
    current.muted = true;
    replacement.muted = muted;
    replacement.style.opacity = "";
    if (paused) {
      replacement.pause();
      if (isApart()) replacement.currentTime = current.currentTime;
    }
    current.pause();
    current.remove();
    replacement.removeAttribute("width");
    replacement.removeAttribute("height");
    return replacement;
  } catch (error) {
    replacement.remove();
    if (interruption.signal.aborted) return "interrupted";
    if (!signal.aborted) console.warn("the better rendition could not take over", error);
    return null;
  }
}
