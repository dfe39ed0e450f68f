import type { Store } from "#web/lib/store.ts";
import type { AdDirector, AdHooks } from "./ads/ad-director.ts";
import type { PreferenceStore } from "./preferences.ts";
import type { ResumePoints } from "./resume-points.ts";
import type { BrowserAbilities, PlayerSource } from "./sources/player-source.ts";
import type { SendWatch, WatchTracker } from "./watch-tracker.ts";
import type { LadderSwitch } from "./sources/ladder-switch.ts";
import type { MediaAdapter } from "./sources/media-adapter.ts";
import type { PlayerState } from "./player-state.ts";

/** Decides the sound and speed of a new source, and stores changes. */
interface SettingsPolicy {
  /** Null leaves the element unchanged. The volume is between 0 and 1. */
  initial(): { volume: number; isMuted: boolean | null; rate: number | null };
  save(change: { volume?: number; isMuted?: boolean; rate?: number }): void;
}

/** Ad policy of a player. */
interface AdsPolicy {
  /** Creates the director of one viewing. */
  direct(hooks: AdHooks): AdDirector;
  /** Returns the element in which ads play. Called when a break begins. */
  container(): HTMLElement | null;
}

/**
 * Options of a player. The video page and the feed differ only in these: see `use-video-player.ts`
 * and the feed's `clip-player.ts`.
 */
export interface PlayerOptions {
  media: HTMLVideoElement;
  sendWatch: SendWatch;
  settings: SettingsPolicy;
  /** Null for no ads. */
  ads: AdsPolicy | null;
  /** Null to always start at the beginning. */
  resumePoints: ResumePoints | null;
  /** Returns the position that the page's address asks for. Null starts at the saved position. */
  findLinkedStart?(savedS: number | null): number | null;
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

/** Parts that belong to one source and end with it. */
export interface Viewing {
  /** Without the file or the ladder if it is damaged. */
  source: PlayerSource;
  /** Aborted when the source changes or the player is destroyed. */
  readonly life: AbortController;
  /** Aborted when the ladder replaces a damaged file, or the file a damaged ladder. */
  opened: AbortController;
  readonly watch: WatchTracker;
  readonly ads: AdDirector | null;
  adapter: MediaAdapter | null;
  ladder: LadderSwitch | null;
}

/** State shared by the parts of one player. */
export interface PlayerContext {
  readonly options: PlayerOptions;
  readonly store: Store<PlayerState>;
  /** Element that currently plays. The ladder replaces it once. */
  media: HTMLVideoElement;
  viewing: Viewing | null;
  /** Latest request to play or pause. The element may not have followed it yet. */
  shouldPlay: boolean;
}
