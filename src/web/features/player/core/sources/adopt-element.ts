import { setVolume } from "../gain.ts";
import type { PlayerContext } from "../player-context.ts";
import type { PlayerSource } from "./player-source.ts";

/** State that the page's HTML or its first script has already set on the element. */
export interface HeadStart {
  /** True if the element already plays. Its frames, position and connection are preserved. */
  isPlaying: boolean;
  /** True if the element plays or is about to. */
  isStarting: boolean;
  /** True if the element is muted only because it started before any gesture. */
  isSilenced: boolean;
}

/** Returns the volume factor of what plays first of a source. */
export const gainOf = (source: PlayerSource): number =>
  source.progressiveUrl === null ? source.ladderGain : source.fileGain;

/** Takes over the element and applies the settings for a new source. */
export function adoptElement(player: PlayerContext, source: PlayerSource): HeadStart {
  const { media, options } = player;
  const { volume, isMuted, rate } = options.settings.initial();
  const hasSource = media.currentSrc !== "";
  const isPlaying = hasSource && !media.paused;
  const isStarting = isPlaying || (hasSource && media.autoplay);
  const wasSilenced = isStarting && media.muted && isMuted === false;
  const staysSilent = wasSilenced && !navigator.userActivation?.hasBeenActive;

  media.controls = false;
  media.autoplay = false;
  const { posterUrl } = source;
  if (options.showsPoster && posterUrl !== null && media.getAttribute("poster") !== posterUrl) {
    media.poster = posterUrl;
  }
  setVolume(media, volume, gainOf(source));
  if (isMuted !== null) media.muted = isMuted || staysSilent;
  if (rate !== null) media.playbackRate = rate;
  return { isPlaying, isStarting, isSilenced: wasSilenced && media.muted };
}
