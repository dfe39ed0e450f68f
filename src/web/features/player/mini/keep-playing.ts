import type { Video } from "#contract/videos/videos.ts";
import { plainPath } from "#web/lib/language/page-language.ts";
import type { Player } from "../core/player.ts";
import "./mini-player.css";

const kept = new WeakSet<Player>();

/** Pages without a mini player, because they have their own videos or lack the public layout. */
const withoutMini = /^\/(video|feed|embed|admin|auth|setup)(\/|$)/;

function isWanted(player: Player): boolean {
  const { isPaused, isEnded, adSlot, fault } = player.store.get();
  const { search } = window.location;
  const pathname = plainPath(window.location.pathname) ?? "";
  const isFeed = pathname === "/" && search === "";
  return (
    !isPaused &&
    !isEnded &&
    adSlot === null &&
    fault === null &&
    document.pictureInPictureElement !== player.media &&
    !isFeed &&
    !withoutMini.test(pathname)
  );
}

/** Returns whether the page that created this player no longer owns it. */
export const isKept = (player: Player): boolean => kept.has(player);

/**
 * Called before the elements of a video page are removed. Moves the element of a playing video to
 * the corner within one task, so that playback isn't interrupted.
 */
export function keepPlaying(player: Player, video: Video, siteName: string): void {
  if (!isWanted(player)) return;
  kept.add(player);
  const frame = document.body.appendChild(document.createElement("section"));
  frame.className = "mini-player";
  frame.append(player.media);
  import("./mini-player.tsx").then(
    ({ showMiniPlayer }) => showMiniPlayer(frame, player, { video, siteName }),
    (error: unknown) => {
      console.warn("Couldn't load the mini player", error);
      frame.remove();
      player.destroy();
    },
  );
}
