import type { AdDirector, AdHooks } from "./ads/ad-director.ts";
import type { PreferenceStore } from "./memory/preferences.ts";
import type { ResumePoints } from "./memory/resume-points.ts";
import type { BrowserAbilities } from "./sources/choose-adapter.ts";
import type { PlayerSource } from "./sources/player-source.ts";
import type { SendWatch } from "./watch/watch-reporter.ts";

/** Decides the sound and speed of a new source, and stores changes. */
interface SettingsPolicy {
  /** Null leaves the element unchanged. The volume is between 0 and 1. */
  initial(): { volume: number; isMuted: boolean | null; rate: number | null };
  save(change: { volume?: number; isMuted?: boolean; rate?: number }): void;
}

/** Ad policy of a player. */
export interface AdsPolicy {
  /** Creates the director of one viewing. */
  direct(hooks: AdHooks): AdDirector;
  /** Returns the element in which ads play. Called when a break begins. */
  container(): HTMLElement | null;
}

/**
 * Options of a player. The video page and the feed differ only in these: see `video-player.ts` and
 * the feed's `clip-player.ts`.
 */
export interface PlayerOptions {
  media: HTMLVideoElement;
  sendWatch: SendWatch;
  settings: SettingsPolicy;
  /** Null for no ads. */
  ads: AdsPolicy | null;
  /** Null to always start at the beginning. */
  resumePoints: ResumePoints | null;
  /** Stores the chosen languages of captions and sound. */
  captionMemory: PreferenceStore;
  /** True if the first watch report is sent on load. Otherwise it waits for `beginWatch`. */
  reportsOnLoad: boolean;
  /** True if the element itself shows the poster. */
  showsPoster: boolean;
  /** Position in seconds at which a source waits until playback starts. */
  startAtS: number;
  /**
   * Returns whether to switch from a playing progressive file to the adaptive ladder. If null, the
   * player never switches, and the ladder only plays videos without a progressive file.
   */
  wantsLadder: ((source: PlayerSource, abilities: BrowserAbilities) => boolean) | null;
  /** Returns whether an ended video starts again from zero. */
  loopsAtEnd(): boolean;
  /** Called if the browser only allowed autoplay without sound. */
  onSilenced?(): void;
}
