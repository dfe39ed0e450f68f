import type { PlayerContext, Viewing } from "../player-context.ts";
import { readMedia } from "../state/media-events.ts";
import { bufferedAheadS } from "../state/player-state.ts";
import type { BrowserAbilities } from "./choose-adapter.ts";
import type { AdapterEvents } from "./media-adapter.ts";

interface LadderParts {
  events: AdapterEvents;
  abilities: BrowserAbilities;
  /** Position at which the ladder starts if nothing else plays. */
  startS: number;
  bind(media: HTMLVideoElement): void;
  attachCaptions(): void;
}

/** Seconds that must be buffered before the element can be replaced safely. */
const safeBufferS = 4;

/**
 * Returns whether a switch is invisible, because enough is buffered and no other screen shows the
 * element.
 */
function canSwitchInvisibly(player: PlayerContext): boolean {
  const { buffered, positionS, isPictureInPicture, adSlot, isSeeking } = player.store.get();
  if (isPictureInPicture || isSeeking || adSlot !== null) return false;
  return bufferedAheadS(buffered, positionS) > safeBufferS;
}

/** Loads the ladder's module after the first frame. Short videos never need it. */
export async function loadLadder(
  player: PlayerContext,
  viewing: Viewing,
  { events, abilities, startS, bind, attachCaptions }: LadderParts,
): Promise<void> {
  const { source } = viewing;
  const signal = AbortSignal.any([viewing.life.signal, viewing.opened.signal]);
  const { store, options } = player;
  const isFirst = viewing.adapter === null;
  if (source.hlsUrl === null) {
    if (isFirst) events.onFault("unsupported");
    return;
  }
  const loaded = await import("./ladder-switch.ts").catch((error: unknown) => {
    console.warn("couldn't load the adaptive renditions", error);
    return null;
  });
  if (signal.aborted) return;
  if (loaded === null) {
    if (isFirst) events.onFault(navigator.onLine ? "unsupported" : "offline");
    return;
  }
  viewing.ladder = loaded.createLadderSwitch({
    source,
    abilities,
    signal,
    events,
    firstS: isFirst ? startS : null,
    media: () => player.media,
    sound: store.get().activeSound,
    isWanted: () =>
      (options.wantsLadder?.(source, abilities) === true || store.get().activeSound > 0) &&
      canSwitchInvisibly(player),
    isPlaying: () => !player.media.paused && store.get().adSlot === null,
    onSwitched(next, adapter) {
      const former = viewing.adapter;
      if (next !== player.media) bind(next);
      viewing.adapter = adapter;
      former?.destroy();
      store.commit(readMedia(player.media));
      if (isFirst && startS > 0) store.commit({ positionS: startS });
      attachCaptions();
    },
  });
  await viewing.ladder.listQualities();
}
