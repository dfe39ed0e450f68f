import type { Playback } from "../playback.ts";
import type { PlayerContext } from "../player-context.ts";
import { createRecovery, type Recovery } from "./recovery.ts";
import { createStallWatch, type StallWatch } from "./stall-watch.ts";

export interface FaultHandling {
  recovery: Recovery;
  stallWatch: StallWatch;
  dispose(): void;
}

/**
 * Connects the recovery and the stall watch with the playing source.
 * @param changeSource see `SourceLoading`.
 */
export function createFaultHandling(
  player: PlayerContext,
  playback: Playback,
  changeSource: () => boolean,
): FaultHandling {
  const { store } = player;

  const recovery = createRecovery({
    commitFault: (fault) => store.commit({ fault }),
    positionS: () => store.get().positionS,
    onOnline(listener) {
      window.addEventListener("online", listener);
      return () => window.removeEventListener("online", listener);
    },
    retry(skipS, { kind, attempt }) {
      const { viewing } = player;
      if (viewing === null || viewing.adapter === null) return;
      const { positionS, durationS, rate } = store.get();
      viewing.watch.interrupt();
      const isDamaged = kind === "corrupt" || kind === "unsupported";
      // Bytes of a file stay the same, but a segment of the ladder may arrive whole the second time.
      const isLasting = viewing.adapter.kind === "progressive" || attempt > 1;
      if (!(isDamaged && isLasting && changeSource())) {
        viewing.adapter.retry(Math.min(positionS + skipS, Math.max(0, durationS - 1)));
      }
      player.media.playbackRate = rate;
      if (player.shouldPlay && viewing.ads?.isInBreak !== true) playback.resume();
    },
  });

  const stallWatch = createStallWatch({
    isWaiting() {
      if (player.viewing === null || !player.shouldPlay) return false;
      const { isBuffering, isPlayable, isPaused, adSlot } = store.get();
      const isShort = isBuffering || !isPlayable;
      // Decoders may stop without an event, as in WebKitGTK. Hidden pages may skip frames to save
      // energy.
      const shouldMove = !isPaused && document.visibilityState === "visible";
      return adSlot === null && (isShort || shouldMove);
    },
    onStall: () => recovery.report(navigator.onLine ? "stalled" : "offline"),
  });

  return {
    recovery,
    stallWatch,
    dispose() {
      recovery.dispose();
      stallWatch.stop();
    },
  };
}
