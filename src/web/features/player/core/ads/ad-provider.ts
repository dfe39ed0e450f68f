/**
 * Interface between the player and advertising. The player decides when a break happens, and pauses
 * the content. A provider decides what the break shows.
 */
export type AdSlot = "preroll" | "midroll" | "postroll";

/** Facts about the content that a provider gets when it looks for a break. */
export interface AdContext {
  videoId: string;
  slug: string;
  durationS: number;
  /** Position of the content: 0 for pre-roll, the configured time for mid-roll, the end for post-roll. */
  positionS: number;
  /** Seconds of content before the break. */
  startsInS: number;
  /** Slugs, for ads that target a category or a tag. */
  categories: string[];
  tags: string[];
  /** Replaces the site's ad breaks by those of an ad server. */
  onPlan(plan: BreakPlan): void;
  /**
   * Aborted when the video changes, the player is destroyed, or the content continues without the
   * ad (`hasTimedOut`). Stop every request then.
   */
  signal: AbortSignal;
}

/** Area in which a break plays. It covers the video and hides the content's controls. */
export interface AdStage {
  /** Empty, `position: relative`, as large as the video. The player empties it after the break. */
  container: HTMLElement;
  /** Aborted when the player ends the break: no first frame in time (`hasTimedOut`), or a source change. */
  signal: AbortSignal;
  /** Sound as the visitor has set it. */
  isMuted: boolean;
  /** 0 to 1. */
  volume: number;
  /** Call it as soon as the ad is visible. Without it the content starts after 3 s. */
  onVisible(): void;
  /** Call it when the visitor changes the sound during the break, so that the content keeps it. */
  onSoundChange(sound: { isMuted: boolean; volume: number }): void;
}

export type AdOutcome = "completed" | "skipped" | "failed";

export interface AdBreak {
  /**
   * Shows the break and resolves when the content may go on. Never rejects: a failure resolves
   * "failed". When `stage.signal` aborts it stops all sound and resolves at once. Called once.
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
   * Finds an ad to show; null for none. Called once per break, for a mid-roll some seconds ahead.
   * If it rejects, the content continues. A prepared break may never be played, so count
   * impressions in `play`.
   */
  prepare(slot: AdSlot, context: AdContext): Promise<AdBreak | null>;
}
