import type { Store } from "#web/lib/store.ts";
import type { AdDirector } from "./ads/ad-director.ts";
import type { PlayerOptions } from "./player-options.ts";
import type { LadderSwitch } from "./sources/ladder-switch.ts";
import type { MediaAdapter } from "./sources/media-adapter.ts";
import type { PlayerSource } from "./sources/player-source.ts";
import type { PlayerState } from "./state/player-state.ts";
import type { WatchTracker } from "./watch/watch-tracker.ts";

/** Everything that belongs to one source and ends with it. */
export interface Viewing {
  readonly source: PlayerSource;
  /** Aborted when the source changes or the player is destroyed. */
  readonly life: AbortController;
  readonly watch: WatchTracker;
  readonly ads: AdDirector | null;
  adapter: MediaAdapter | null;
  ladder: LadderSwitch | null;
}

/** State shared by the parts of one player. */
export interface PlayerContext {
  readonly options: PlayerOptions;
  readonly store: Store<PlayerState>;
  /** Element that plays now. The ladder replaces it once. */
  media: HTMLVideoElement;
  viewing: Viewing | null;
  /** The latest request to play or pause, whether or not the element has followed it. */
  shouldPlay: boolean;
}
