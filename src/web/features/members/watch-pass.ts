import { video as videoSchema, type Video } from "#contract/videos/videos.ts";
import { hasPass } from "./has-pass.ts";
import { readPassEnd } from "./pass-end.ts";
import { ApiError, call } from "#web/lib/api/http.ts";

/** Half of the time within which playback ends after the pass. */
const checkEveryMs = 30_000;

/**
 * Gets a locked video with its media if this browser has a pass, and takes it away once the pass has
 * ended.
 * @param show gets the video, or null if this browser may not play it.
 */
export async function watchPass(
  id: string,
  show: (video: Video | null) => void,
  signal: AbortSignal,
): Promise<void> {
  if (!hasPass()) return show(null);
  let isShown = false;
  const check = async () => {
    try {
      const opened = await call(`/api/members/videos/${id}`, videoSchema, { signal });
      // Another object would restart the player.
      if (!isShown && !signal.aborted) show(opened);
      isShown = true;
    } catch (error) {
      // Without a connection, nothing is known about the pass.
      if (signal.aborted || !(error instanceof ApiError) || error.status >= 429) return;
      isShown = false;
      show(null);
    }
    // The response may have changed the end of the pass.
    readPassEnd();
  };
  const timer = setInterval(() => void check(), checkEveryMs);
  signal.addEventListener("abort", () => clearInterval(timer));
  await check();
}
