import type { AdsPolicy } from "./player-options.ts";
import { playOrigin } from "#web/lib/page/play-origin.ts";
import { parseStartTime } from "#web/lib/start-time.ts";
import { isSavingData } from "#web/lib/data-saver.ts";
import { preferences } from "./browser-player.ts";
import { resumePoints } from "./memory/resume-points.ts";
import { createPlayer, type Player } from "./player.ts";
import { wantsLadder } from "./sources/choose-adapter.ts";
import { sendWatchReport } from "./watch/watch-reporter.ts";

/** Returns the seconds at which a shared link starts (`?t=90`, `?t=1m30s`), or null. */
const startOfAddress = (): number | null =>
  parseStartTime(new URLSearchParams(window.location.search).get("t"));

/**
 * Returns the player of the video page. It has ads and the adaptive ladder, and remembers the
 * sound, the speed and the position.
 */
export function createVideoPlayer(options: {
  media: HTMLVideoElement;
  ads: AdsPolicy | null;
}): Player {
  return createPlayer({
    ...options,
    // Private videos can't be found by id.
    sendWatch: window.location.pathname.includes("/private/")
      ? () => undefined
      : sendWatchReport(playOrigin),
    settings: { initial: () => preferences.read(), save: (change) => preferences.write(change) },
    resumePoints: {
      ...resumePoints,
      find: (videoId) => startOfAddress() ?? resumePoints.find(videoId),
    },
    captionMemory: preferences,
    reportsOnLoad: true,
    showsPoster: true,
    startAtS: 0,
    wantsLadder: (source, abilities) => wantsLadder(source, abilities, isSavingData()),
    loopsAtEnd: () => false,
  });
}
