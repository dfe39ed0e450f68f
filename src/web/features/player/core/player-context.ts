import type { Store } from "#web/lib/store.ts";
import type { AdDirector } from "./ads/ad-director.ts";
import type { PlayerOptions } from "./player-options.ts";
import type { LadderSwitch } from "./sources/ladder-switch.ts";
import type { MediaAdapter } from "./sources/media-adapter.ts";
import type { PlayerSource } from "./sources/player-source.ts";
import type { PlayerState } from "./state/player-state.ts";
import type { WatchTracker } from "./watch/watch-tracker.ts";

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
