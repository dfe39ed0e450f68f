import { setVolume } from "./gain.ts";
import type { PlayerContext } from "./player-context.ts";

/** Controls the volume, mute and speed. */
export interface Settings {
  setVolume(volume: number): void;
  setMuted(isMuted: boolean): void;
  setRate(rate: number): void;
  /** Call it when the element's sound has changed for any reason. */
  onSoundChange(): void;
}

/** Volume after unmuting a player whose volume is zero. */
const audibleVolume = 0.5;

export function createSettings(player: PlayerContext): Settings {
  const { store, options } = player;
  return {
    setVolume(volume) {
      const { media } = player;
      setVolume(media, Math.min(1, Math.max(0, volume)));
      if (media.volume > 0) media.muted = false;
    },
    setMuted(isMuted) {
      const { media } = player;
      media.muted = isMuted;
      if (!isMuted && media.volume === 0) setVolume(media, audibleVolume);
    },
    setRate(rate) {
      player.media.playbackRate = rate;
      player.media.defaultPlaybackRate = rate;
      options.settings.save({ rate });
    },
    onSoundChange() {
      const { isMuted, volume } = store.get();
      if (!isMuted) store.commit({ isMutedByBrowser: false });
      // Don't save a mute that the browser enforced, because the visitor didn't choose it.
      if (!store.get().isMutedByBrowser) options.settings.save({ isMuted, volume });
    },
  };
}
