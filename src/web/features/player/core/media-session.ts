import type { Player } from "./player.ts";

const stepS = 10;

/** Returns the video of the ad that covers the player, or null. */
const findAd = (player: Player): HTMLVideoElement | null =>
  player.store.get().adSlot === null
    ? null
    : document.querySelector<HTMLVideoElement>(".player-break video");

/** Sets handlers of media keys. Returns a function that removes them. */
function setHandlers(handlers: [MediaSessionAction, MediaSessionActionHandler][]): () => void {
  const set = (action: MediaSessionAction, handler: MediaSessionActionHandler | null) => {
    try {
      navigator.mediaSession.setActionHandler(action, handler);
    } catch {
      // Browsers support different actions.
    }
  };
  for (const [action, handler] of handlers) set(action, handler);
  return () => {
    for (const [action] of handlers) set(action, null);
  };
}

/**
 * Lets media keys leave a sponsored item, which has no player.
 * @returns a function that removes the handlers.
 */
export function connectMoves(move: (direction: 1 | -1) => void): () => void {
  if (!("mediaSession" in navigator)) return () => {};
  return setHandlers([
    ["nexttrack", () => move(1)],
    ["previoustrack", () => move(-1)],
  ]);
}

/**
 * Connects the player with the system's Media Session, for media keys, lock screens and headsets.
 * Returns a function that disconnects it. Does nothing if the browser has no Media Session.
 */
export function connectMediaSession(
  player: Player,
  source: { title: string; posterUrl: string | null },
  siteName: string,
  /** Returns a function that opens the next video. Null if there is none. */
  findNext: () => (() => void) | null,
  /** By default, seeks to the start, like the key of a music player. */
  goBack: () => void = () => player.seekTo(0),
): () => void {
  if (!("mediaSession" in navigator) || typeof MediaMetadata !== "function") return () => {};
  const { mediaSession } = navigator;
  const metadata = new MediaMetadata({
    title: source.title,
    artist: siteName,
    artwork: source.posterUrl === null ? [] : [{ src: source.posterUrl }],
  });
  mediaSession.metadata = metadata;
  const removeHandlers = setHandlers([
    ["play", () => play()],
    ["pause", () => pause()],
    ["seekbackward", ({ seekOffset }) => player.seekBy(-(seekOffset ?? stepS))],
    ["seekforward", ({ seekOffset }) => player.seekBy(seekOffset ?? stepS)],
    ["stop", () => pause()],
    ["nexttrack", () => findNext()?.()],
    ["previoustrack", goBack],
    ["seekto", ({ seekTime }) => void (seekTime != null && player.seekTo(seekTime))],
  ]);

  let sent = "";
  const update = () => {
    const { positionS, durationS, rate, hasStarted, ...state } = player.store.get();
    const isPaused = findAd(player)?.paused ?? state.isPaused;
    mediaSession.playbackState = !hasStarted ? "none" : isPaused ? "paused" : "playing";
    // The system extrapolates the position, so an update every 5 s is enough.
    const next = `${isPaused}/${rate}/${durationS}/${Math.floor(positionS / 5)}`;
    if (next === sent || !(durationS > 0) || positionS > durationS) return;
    sent = next;
    mediaSession.setPositionState?.({
      duration: durationS,
      position: positionS,
      playbackRate: rate,
    });
  };
  // If the content is paused together with its ad, it stays paused after the ad.
  function pause(): void {
    findAd(player)?.pause();
    player.pause();
    update();
  }
  function play(): void {
    findAd(player)?.play().catch(console.warn);
    player.play();
    update();
  }
  const stop = player.store.subscribe(update);
  update();
  return () => {
    stop();
    // Another player may have connected meanwhile, for example after the mini player.
    if (mediaSession.metadata !== metadata) return;
    removeHandlers();
    mediaSession.metadata = null;
    mediaSession.playbackState = "none";
    mediaSession.setPositionState?.();
  };
}
