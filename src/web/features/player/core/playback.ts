import type { PlayerContext } from "./player-context.ts";

export type Playback = ReturnType<typeof createPlayback>;

/** Asks the element to play or pause, and handles the result. */
export function createPlayback(player: PlayerContext) {
  const { store, options } = player;

  function start(isAutoplay: boolean, onStarted?: () => void): void {
    const { media } = player;
    media.play().then(onStarted, (error: unknown) => {
      if (media !== player.media || !(error instanceof DOMException)) return;
      // An abort isn't an error. A pause or a new source came first.
      if (error.name === "AbortError") return;
      if (error.name === "NotAllowedError") return onRefused(media, isAutoplay);
      console.warn("playback failed", error);
    });
  }

  function onRefused(media: HTMLVideoElement, isAutoplay: boolean): void {
    if (isAutoplay && !media.muted) {
      media.muted = true;
      store.commit({ isMutedByBrowser: true });
      start(false, options.onSilenced);
      return;
    }
    // Muting didn't help, so the visitor's press plays with sound.
    if (store.get().isMutedByBrowser) media.muted = false;
    player.shouldPlay = false;
  }

  /** Keeps the content paused until this ad break has ended. */
  function holdDuring(adBreak: Promise<void>, isAutoplay = false): void {
    const signal = player.viewing?.life.signal;
    if (!player.media.paused) player.media.pause();
    player.shouldPlay = true;
    void adBreak.then(() => {
      if (signal?.aborted === false && player.shouldPlay) start(isAutoplay);
    });
  }

  /** With `isAutoplay`, the visitor hasn't pressed anything, so the browser may require silence. */
  function play({ isAutoplay = false }: { isAutoplay?: boolean } = {}): void {
    if (player.viewing === null) return;
    const { ads } = player.viewing;
    player.shouldPlay = true;
    if (ads?.isInBreak === true) return;
    if (ads === null || store.get().hasStarted) return start(isAutoplay);
    store.commit({ hasStarted: true });
    holdDuring(ads.beforeFirstPlay(), isAutoplay);
  }

  function pause(): void {
    player.shouldPlay = false;
    player.media.pause();
  }

  return {
    play,
    pause,
    toggle() {
      if (store.get().adSlot !== null) return;
      if (player.media.paused) play();
      else pause();
    },
    /** Starts the content without requesting ads, after a break, a fault or a loop. */
    resume: () => start(false),
    holdDuring,
    /** Call it when the element has begun to play for any reason. */
    onPlay() {
      player.shouldPlay = true;
      const ads = player.viewing?.ads ?? null;
      // Media keys start the element directly. During a break, it is paused again.
      if (ads?.isInBreak === true) player.media.pause();
      else if (!store.get().hasStarted) {
        if (ads === null) store.commit({ hasStarted: true });
        else play();
      }
    },
    /** Call it when the element has paused for any reason, such as the browser's own controls. */
    onPause() {
      const { media, viewing } = player;
      viewing?.watch.pause();
      // After a break, a fault and in a loop, the video continues by itself.
      const isOver = media.ended || media.error !== null;
      if (media.paused && !isOver && viewing?.ads?.isInBreak !== true) player.shouldPlay = false;
    },
    /** Call it at the end of the content. Repeats from zero, or plays a post-roll and ends. */
    onEnded() {
      const { viewing, media } = player;
      if (viewing === null) return;
      const { watch, ads, life } = viewing;
      watch.complete(store.get().durationS);
      if (options.loopsAtEnd() && player.shouldPlay) {
        media.currentTime = 0;
        start(false);
        return;
      }
      player.shouldPlay = false;
      const finish = () => {
        if (!life.signal.aborted) {
          store.commit({ isEnded: true, isPaused: true, isBuffering: false });
        }
      };
      if (ads === null) finish();
      else void ads.atEnd().then(finish);
    },
  };
}
