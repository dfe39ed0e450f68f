import { limits } from "#contract/limits.ts";
import { type AdBreak, type AdOutcome, type AdStage, outOfTime } from "./ad-provider.ts";

interface AdBreakOptions {
  /**
   * Result of the search for an ad. The time limit includes the search, because the content is
   * paused.
   */
  prepared: Promise<AdBreak | null>;
  container: HTMLElement;
  signal: AbortSignal;
  /** Called if nothing was visible in time, so that the search can stop. */
  onLate?: () => void;
  sound: { isMuted: boolean; volume: number };
  onVisible?: () => void;
  onSoundChange?: AdStage["onSoundChange"];
  /** Maximum time between the pause of the content and something visible. */
  firstFrameMs?: number;
  /** Maximum length of an ad that doesn't end by itself. Defaults to 15 s. */
  maxMs?: number;
}

/**
 * Plays one break in the container. Resolves when the content may continue, because the break
 * ended, failed, or showed nothing in time. Never rejects, and leaves the container empty.
 */
export async function runAdBreak(options: AdBreakOptions): Promise<AdOutcome | "none"> {
  const {
    prepared,
    container,
    signal,
    sound,
    firstFrameMs = limits.adFirstFrameMs,
    maxMs = (limits.adAutoCompleteS + 5) * 1000,
  } = options;
  const ending = new AbortController();
  const end = () => ending.abort();
  if (signal.aborted) return "failed";
  signal.addEventListener("abort", end, { once: true });

  const ended = new Promise<"failed">((resolve) => {
    ending.signal.addEventListener("abort", () => resolve("failed"), { once: true });
  });
  let timer = setTimeout(() => {
    options.onLate?.();
    ending.abort(outOfTime());
  }, firstFrameMs);

  const run = async (): Promise<AdOutcome | "none"> => {
    const adBreak = await prepared;
    if (ending.signal.aborted) return "failed";
    if (adBreak === null) return "none";
    return adBreak.play({
      container,
      signal: ending.signal,
      isMuted: sound.isMuted,
      volume: sound.volume,
      onVisible() {
        clearTimeout(timer);
        if (ending.signal.aborted) return;
        timer = setTimeout(end, maxMs);
        options.onVisible?.();
      },
      onFollow: () => clearTimeout(timer),
      onSoundChange: (change) => options.onSoundChange?.(change),
    });
  };

  try {
    return await Promise.race([run(), ended]);
  } catch (error) {
    console.warn("ad break failed", error);
    return "failed";
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
    end();
    container.replaceChildren();
  }
}
