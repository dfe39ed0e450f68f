import { useEffect, useState } from "react";
import type { Player } from "../core/player.ts";

/**
 * Returns a function that lets the visitor choose another screen, through Cast in Chromium or
 * AirPlay in Safari. Null if the browser has none for this video.
 */
export function useRemotePlayback(player: Player): (() => void) | null {
  const { media } = player;
  const [isAvailable, setAvailable] = useState(false);
  useEffect(() => {
    const remote = "remote" in media ? media.remote : null;
    if (remote === null) return;
    let watched: number | null = null;
    let isOver = false;
    const stop = async (id: number) => {
      await remote.cancelWatchAvailability(id);
    };
    remote.watchAvailability(setAvailable).then(
      (id) => {
        watched = id;
        if (isOver) stop(id).catch(console.warn);
      },
      // The browser can't watch for screens, or this element may not use them.
      (error: unknown) => {
        if (!isOver)
          setAvailable(error instanceof DOMException && error.name === "NotSupportedError");
      },
    );
    return () => {
      isOver = true;
      if (watched !== null) stop(watched).catch(console.warn);
    };
  }, [media]);
  if (!isAvailable) return null;
  return () => {
    media.remote.prompt().catch((error: unknown) => console.warn("no other screen", error));
  };
}
