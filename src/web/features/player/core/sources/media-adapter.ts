import type { FaultKind, QualityOption } from "../state/player-state.ts";

export interface AdapterEvents {
  onFault(kind: FaultKind): void;
  onQualities(options: readonly QualityOption[]): void;
  /** Called with the height of the current rendition, or null if the adapter doesn't report it. */
  onActiveLines(lines: number | null): void;
}

/** One way to load a video into an element. */
export interface MediaAdapter {
  readonly kind: "progressive" | "native-hls" | "hls-js";
  /** Starts loading at `startS`. If the element already loads this source, it continues. */
  attach(media: HTMLVideoElement, startS: number): void;
  /** Reloads at `positionS` after a fault. */
  retry(positionS: number): void;
  /**
   * Selects a number of lines from `onQualities`, or null for Auto. Returns false if this adapter
   * has left out these renditions, so that another adapter must take over.
   */
  selectQuality(lines: number | null): boolean;
  /** Selects an audio track by index. Adapters with a single track ignore it. */
  selectSound(index: number): void;
  /** Stops every request and leaves the element empty. */
  destroy(): void;
}

/** Empties an element, so that the browser releases its buffers, decoders and requests. */
export function unloadMedia(media: HTMLVideoElement): void {
  media.autoplay = false;
  media.replaceChildren();
  if (!media.hasAttribute("src") && media.currentSrc === "") return;
  media.removeAttribute("src");
  media.load();
}
