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
  /** See `AdStage`. The time limits start over when the visitor returns. */
  pausesWhenHidden?: boolean;
}

/** Maximum length of an ad that doesn't end by itself. */
const maxMs = (limits.adAutoCompleteS + 5) * 1000;

/**
 * Plays one break in the container. Resolves when the content may continue, because the break
 * ended, failed, or showed nothing in time. Never rejects, and leaves the container empty.
 */
export async function runAdBreak(options: AdBreakOptions): Promise<AdOutcome | "none"> {
  const { prepared, container, signal, sound, pausesWhenHidden = false } = options;
  const ending = new AbortController();
  const end = () => ending.abort();
  if (signal.aborted) return "failed";
  signal.addEventListener("abort", end, { once: true });

  const ended = new Promise<"failed">((resolve) => {
    ending.signal.addEventListener("abort", () => resolve("failed"), { once: true });
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let startTimer = () => {};
  function limit(ms: number, onOver: () => void): void {
    startTimer = () => {
      clearTimeout(timer);
      if (pausesWhenHidden && document.visibilityState === "hidden") return;
      timer = setTimeout(onOver, ms);
    };
    startTimer();
  }
  if (pausesWhenHidden) {
    document.addEventListener("visibilitychange", () => startTimer(), { signal: ending.signal });
  }
  limit(limits.adFirstFrameMs, () => {
    options.onLate?.();
    ending.abort(outOfTime());
  });

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
        if (ending.signal.aborted) return;
        limit(maxMs, end);
        options.onVisible?.();
      },
      onFollow() {
        clearTimeout(timer);
        startTimer = () => {};
      },
      pausesWhenHidden,
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
