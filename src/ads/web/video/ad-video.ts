import type { AdStage } from "#web/features/player/core/ads/ad-provider.ts";
import { adMessages as messages } from "../messages.ts";
import { createElement } from "./create-element.ts";

/** Video element of an ad. */
export interface AdVideo {
  readonly element: HTMLVideoElement;
  /** Returns the measured duration, because the declared one may be wrong or zero. */
  durationS(): number | null;
  /** Mutes or unmutes the ad for the visitor. */
  setMuted(isMuted: boolean): void;
  /** Plays the ad. Muted if the browser requires a gesture for sound. */
  play(): void;
}

/**
 * Returns whether the visitor has interacted with the page. Also true in browsers before 2023,
 * which don't report it and decide for themselves.
 */
const hasGesture = (): boolean =>
  !("userActivation" in navigator) || navigator.userActivation.hasBeenActive;

/**
 * Creates an element with the content's volume and mute state. If the visitor changes them during
 * the ad, the content gets the new values.
 * @param signal aborts when the ad ends.
 */
export function createAdVideo(stage: AdStage, signal: AbortSignal): AdVideo {
  const element = createElement("video", "spot-break-video", messages.unsupported);
  element.playsInline = true;
  /** True if the ad is muted for lack of a gesture, which must not mute the content. */
  let isSilenced = !stage.isMuted && !hasGesture();
  element.muted = stage.isMuted || isSilenced;
  element.volume = stage.volume;
  element.disablePictureInPicture = true;
  element.addEventListener(
    "volumechange",
    () => {
      if (isSilenced) return;
      stage.onSoundChange({ isMuted: element.muted, volume: element.volume });
    },
    { signal },
  );

  return {
    element,
    durationS: () => (Number.isFinite(element.duration) ? element.duration : null),
    setMuted(isMuted) {
      isSilenced = false;
      element.muted = isMuted;
      if (!isMuted && element.volume === 0) element.volume = 1;
    },
    play() {
      element.play().catch((error: unknown) => {
        if (signal.aborted || !(error instanceof DOMException)) return;
        if (error.name !== "NotAllowedError" || element.muted) return;
        // The browser only allows sound after a gesture, so plays without it.
        isSilenced = true;
        element.muted = true;
        element.play().catch(() => {});
      });
    },
  };
}
