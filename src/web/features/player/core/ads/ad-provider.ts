/**
 * What the player and advertising agree on. The player decides when a break happens and holds the
 * content still meanwhile; a provider decides what is shown in it. Neither knows the other's inside.
 */
export type AdSlot = "preroll" | "midroll" | "postroll";

/** What a provider may know about the content when it looks for a break. */
export interface AdContext {
  videoId: string;
  slug: string;
  durationS: number;
  /** Where the content stands: 0 for pre-roll, the configured time for mid-roll, the end for post-roll. */
  positionS: number;
  /** Slugs, for ads that are aimed at a category. */
  categories: string[];
  /** Aborted when the video changes or the player goes away: stop every request. */
  signal: AbortSignal;
}

/** The place where a break plays. It fills the player's picture; the content's controls are hidden. */
export interface AdStage {
  /** Empty, `position: relative`, as large as the picture. Everything put in is removed afterwards. */
  container: HTMLElement;
  /** Aborted when the player ends the break itself (no first frame in time, source change). */
  signal: AbortSignal;
  /** Sound as the visitor has it now. */
  isMuted: boolean;
  /** 0 to 1. */
  volume: number;
  /** Tell the moment something of the ad is visible; without it the content starts after 3 s. */
  onVisible(): void;
  /** Tell a change of sound made inside the break, so that the content keeps it. */
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

export interface AdProvider {
  /**
   * Finds what to show, or null for nothing. Called once per break, for mid-roll a few seconds
   * ahead. May reject; the player then goes on with the content. A break that was prepared may
   * never be played (the visitor left), so impressions belong into `play`.
   */
  prepare(slot: AdSlot, context: AdContext): Promise<AdBreak | null>;
}
