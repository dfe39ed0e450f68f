import type { FaultKind, QualityOption } from "../state/player-state.ts";

export interface AdapterEvents {
  onFault(kind: FaultKind): void;
  onQualities(options: readonly QualityOption[]): void;
  /** Lines of the picture that is now shown, null where the adapter cannot tell. */
  onActiveHeight(height: number | null): void;
}

/** One way to get a video into an element. */
export interface MediaAdapter {
  readonly kind: "progressive" | "native-hls" | "hls-js";
  /** Starts loading at `startS`. An element that already loads this source is adopted as it is. */
  attach(media: HTMLVideoElement, startS: number): void;
  /** Starts over at `positionS` after a fault. */
  retry(positionS: number): void;
  /** A height out of `onQualities`, or null for Auto. */
  selectQuality(height: number | null): void;
  /** Lets go of the element and of every request; the element is left empty. */
  destroy(): void;
}

/** Empties an element so that the browser frees its buffers, decoders and requests. */
export function unloadMedia(media: HTMLVideoElement): void {
  media.autoplay = false;
  media.replaceChildren();
  if (!media.hasAttribute("src") && media.currentSrc === "") return;
  media.removeAttribute("src");
  media.load();
}
