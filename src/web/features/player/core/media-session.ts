import type { Player } from "./player.ts";
import type { PlayerSource } from "./sources/player-source.ts";

const stepS = 10;

/**
 * Connects the player with the system's Media Session, for media keys, lock screens and headsets.
 * Returns a function that disconnects it. Does nothing if the browser has no Media Session.
 */
export function connectMediaSession(
  player: Player,
  source: Pick<PlayerSource, "title" | "posterUrl">,
  siteName: string,
  /** Returns a function that opens the next video. Null if there is none. */
  findNext: () => (() => void) | null,
  /** By default, seeks to the start, like the key of a music player. */
  goBack: () => void = () => player.seekTo(0),
): () => void {
  if (!("mediaSession" in navigator) || typeof MediaMetadata !== "function") return () => {};
  const { mediaSession } = navigator;
  mediaSession.metadata = new MediaMetadata({
    title: source.title,
    artist: siteName,
    artwork: source.posterUrl === null ? [] : [{ src: source.posterUrl }],
  });
  const handlers: [MediaSessionAction, MediaSessionActionHandler][] = [
    ["play", () => player.play()],
    ["pause", () => player.pause()],
    ["seekbackward", ({ seekOffset }) => player.seekBy(-(seekOffset ?? stepS))],
    ["seekforward", ({ seekOffset }) => player.seekBy(seekOffset ?? stepS)],
    ["stop", () => player.pause()],
    ["nexttrack", () => findNext()?.()],
    ["previoustrack", goBack],
    ["seekto", ({ seekTime }) => void (seekTime != null && player.seekTo(seekTime))],
  ];
  const set = (action: MediaSessionAction, handler: MediaSessionActionHandler | null) => {
    try {
      mediaSession.setActionHandler(action, handler);
    } catch {
      // Browsers support different actions.
    }
  };
  for (const [action, handler] of handlers) set(action, handler);

  let sent = "";
  const update = () => {
    const { isPaused, positionS, durationS, rate, hasStarted } = player.store.get();
    mediaSession.playbackState = !hasStarted ? "none" : isPaused ? "paused" : "playing";
    // The system extrapolates the position, so an update every 5 s is enough.
    const state = `${isPaused}/${rate}/${durationS}/${Math.floor(positionS / 5)}`;
    if (state === sent || !(durationS > 0) || positionS > durationS) return;
    sent = state;
    mediaSession.setPositionState?.({
      duration: durationS,
      position: positionS,
      playbackRate: rate,
    });
  };
  const stop = player.store.subscribe(update);
  update();
  return () => {
    stop();
    for (const [action] of handlers) set(action, null);
    mediaSession.metadata = null;
    mediaSession.playbackState = "none";
  };
}
