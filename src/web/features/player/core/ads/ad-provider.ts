/**
 * Interface between the player and advertising. The player decides when a break happens and pauses
 * the content. A provider decides what the break shows.
 */
export type AdSlot = "preroll" | "midroll" | "postroll";

/** Facts about the content that a provider gets when it prepares a break. */
export interface AdContext {
  videoId: string;
  slug: string;
  durationS: number;
  /**
   * Position of the content: 0 for pre-roll, the configured time for mid-roll, the end for
   * post-roll.
   */
  positionS: number;
  /** Seconds of content before the break. */
  startsInS: number;
  /** Slugs, for ads that target a category or a tag. */
  categories: string[];
  tags: string[];
  /** Replaces the site's ad breaks with those of an ad server. */
  onPlan(plan: BreakPlan): void;
  /**
   * Aborted when the video changes, the player is destroyed, or the content continues without the
   * ad (`hasTimedOut`). Stop every request then.
   */
  signal: AbortSignal;
}

/** Area in which a break plays. It covers the video and hides the content's controls. */
export interface AdStage {
  /**
   * Empty element with `position: relative`, as large as the video. The player empties it after the
   * break.
   */
  container: HTMLElement;
  /**
   * Aborted when the player ends the break, because there was no first frame in time
   * (`hasTimedOut`) or the source changed.
   */
  signal: AbortSignal;
  /** Whether the visitor has muted the sound. */
  isMuted: boolean;
  /** 0 to 1. */
  volume: number;
  /** Call it as soon as the ad is visible. Otherwise, the content starts after 3 s. */
  onVisible(): void;
  /**
   * Call it when the visitor follows the visible ad's link. The break no longer has a time limit, so
   * `play` must resolve on its own. It may wait until the visitor returns.
   */
  onFollow(): void;
  /**
   * True if a video ad pauses whenever the page is hidden. Otherwise, it only pauses while the
   * visitor is on the ad's page.
   */
  pausesWhenHidden: boolean;
  /** Call it when the visitor changes the sound during the break, so that the content keeps it. */
  onSoundChange(sound: { isMuted: boolean; volume: number }): void;
}

export type AdOutcome = "completed" | "skipped" | "failed";

export interface AdBreak {
  /**
   * Shows the break and resolves when the content may continue. Never rejects: a failure resolves
   * with "failed". When `stage.signal` aborts, it stops all sound and resolves immediately. Called
   * once.
   */
  play(stage: AdStage): Promise<AdOutcome>;
}

/** Ad breaks of a video as an ad server defines them (VMAP). */
export interface BreakPlan {
  /** Returns the times in seconds, ascending. */
  midrollTimes(durationS: number): number[];
  hasPostroll(durationS: number): boolean;
  /** See `AdProvider`. */
  prepare(slot: AdSlot, context: AdContext): Promise<AdBreak | null>;
}

export interface AdProvider {
  /**
   * Finds an ad to show, or null. Called once per break, for mid-rolls some seconds early. If it
   * rejects, the content continues. A prepared break may never be played, so count impressions in
   * `play`.
   */
  prepare(slot: AdSlot, context: AdContext): Promise<AdBreak | null>;
}

/** Abort reason for when the content has waited long enough for an ad. */
export const outOfTime = (): DOMException =>
  new DOMException("the content goes on without the ad", "TimeoutError");

/** Returns whether the wait took too long. False if the visitor left or nothing was aborted. */
export const hasTimedOut = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && reason instanceof DOMException && reason.name === "TimeoutError";
