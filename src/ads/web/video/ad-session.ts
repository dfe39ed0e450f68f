import type { AdOutcome, AdStage } from "#web/features/player/core/ads/ad-provider.ts";
import { reportAdEvent, type Impression } from "../api/report-ad-event.ts";
import { viewableAfterMs, watchViewable } from "../core/watch-viewable.ts";

interface AdSessionHooks {
  /** Called when the ad is shown and every 200 ms after that. */
  onTick(shownS: number): void;
  onShow?(): void;
  onViewable?(): void;
  /**
   * Pauses the ad while the visitor is away, and resumes it when they return. The clock of an ad
   * without it doesn't stop.
   */
  onAway?(isAway: boolean): void;
  /** Called once. */
  onEnd?(outcome: AdOutcome): void;
}

const tickMs = 200;

const isHidden = (): boolean => document.visibilityState === "hidden";

/**
 * Creates the part that all ads in ad breaks share. The session ends when the stage's signal
 * aborts.
 */
export function createAdSession(
  stage: AdStage,
  impression: Impression | null,
  hooks: AdSessionHooks,
) {
  const life = new AbortController();
  let resolveEnded: (outcome: AdOutcome) => void = () => {};
  const ended = new Promise<AdOutcome>((resolve) => {
    resolveEnded = resolve;
  });
  let root: HTMLElement | null = null;
  let shownAtMs: number | null = null;
  let awayAtMs: number | null = null;
  let isFollowed = false;
  let timer: ReturnType<typeof setInterval> | undefined;

  function tick(): void {
    if (shownAtMs === null || awayAtMs !== null) return;
    hooks.onTick((performance.now() - shownAtMs) / 1000);
  }

  function followVisibility(): void {
    if (hooks.onAway === undefined || !(isFollowed || stage.pausesWhenHidden)) return;
    const nowMs = performance.now();
    if (isHidden()) awayAtMs ??= nowMs;
    else if (awayAtMs === null) return;
    else {
      if (shownAtMs !== null) shownAtMs += nowMs - awayAtMs;
      awayAtMs = null;
    }
    hooks.onAway(awayAtMs !== null);
  }

  function end(outcome: AdOutcome): void {
    if (life.signal.aborted) return;
    life.abort();
    clearInterval(timer);
    hooks.onEnd?.(outcome);
    root?.remove();
    const resolve = () => resolveEnded(outcome);
    // Nothing starts in a tab that the visitor has left for the ad's page.
    if (!isFollowed || !isHidden()) resolve();
    else document.addEventListener("visibilitychange", resolve, { once: true });
  }

  return {
    /** Aborts when the ad ends. */
    signal: life.signal,
    ended,
    isShown: (): boolean => shownAtMs !== null,
    /**
     * Puts the element on the stage. Returns false if the stage is gone, so that the ad has failed.
     */
    mount(element: HTMLElement): boolean {
      if (stage.signal.aborted) {
        end("failed");
        return false;
      }
      stage.signal.addEventListener("abort", () => end("failed"), { signal: life.signal });
      root = element;
      stage.container.append(element);
      const { signal } = life;
      document.addEventListener("visibilitychange", followVisibility, { signal });
      // A file may start to play while the page is hidden.
      element.addEventListener("play", followVisibility, { signal, capture: true });
      return true;
    },
    /** Call it once the ad is visible. Counts the impression and starts the clock. */
    show(): void {
      if (shownAtMs !== null || awayAtMs !== null || life.signal.aborted || root === null) return;
      shownAtMs = performance.now();
      stage.onVisible();
      reportAdEvent(impression, "impression");
      reportAdEvent(impression, "start");
      hooks.onShow?.();
      timer = setInterval(tick, tickMs);
      const stopWatching = watchViewable(root, viewableAfterMs.video, () => {
        reportAdEvent(impression, "viewable");
        hooks.onViewable?.();
      });
      life.signal.addEventListener("abort", stopWatching, { once: true });
      tick();
    },
    /** Call it when the visitor follows the ad's link. */
    follow(): void {
      if (isFollowed || shownAtMs === null || life.signal.aborted) return;
      isFollowed = true;
      stage.onFollow();
    },
    end,
  };
}

/** Ad on the stage. It is prepared, then shown, then ended. */
export type AdSession = ReturnType<typeof createAdSession>;
