import { setVolume, volumeOf } from "../gain.ts";
import type { PlayerContext } from "../player-context.ts";
import type { PlayerSource } from "../sources/player-source.ts";
import type { AdDirector } from "./ad-director.ts";

/**
 * Creates the ad director of one viewing and connects it to the player's state and sound. Null
 * without ads.
 */
export function createViewingAds(player: PlayerContext, source: PlayerSource): AdDirector | null {
  const { store, options } = player;
  if (options.ads === null) return null;
  const { direct, container } = options.ads;
  return direct({
    container,
    context: {
      videoId: source.id,
      slug: source.slug,
      categories: source.categories,
      tags: source.tags,
    },
    durationS: () => store.get().durationS,
    sound: () => ({ isMuted: player.media.muted, volume: volumeOf(player.media) }),
    onSoundChange(sound) {
      player.media.muted = sound.isMuted;
      setVolume(player.media, sound.volume);
    },
    onSlot: (adSlot) => store.commit({ adSlot, isAdVisible: false }),
    onVisible: () => store.commit({ isAdVisible: true }),
  });
}
