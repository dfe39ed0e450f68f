/** Who is being shown something, and since when. All of it travels in the cursor. */
export interface FeedSession {
  /** Decides every draw: the same seed gives the same order. */
  seed: string;
  startedAtMs: number;
  visitorId: string | null;
  /** Ids that the page shows already. */
  shownIds: readonly string[];
}

/** Where a page of the feed goes on. What is in it is the ranker's own business. */
export type FeedPlace =
  | { phase: "ranked"; offset: number }
  | { phase: "rest"; afterTrend: number | null; afterId: string | null }
  | { phase: "seen"; afterMs: number | null; afterId: string | null };

export interface FeedPage {
  ids: string[];
  /** Null when this visitor has been shown everything. */
  next: FeedPlace | null;
}

/**
 * Decides what comes next. The order is stable inside a session: the same session and place give
 * the same page, whatever other visitors do meanwhile. A better ranking fills this interface.
 */
export interface FeedRanker {
  list(session: FeedSession, place: FeedPlace, limit: number): Promise<FeedPage>;
  /** The catalogue has changed: what was computed from it counts no longer. */
  forget(): void;
}

export const firstPlace: FeedPlace = { phase: "ranked", offset: 0 };
