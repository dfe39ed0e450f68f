/** Reason for a video's position, which is the largest term of its score. */
export type FeedReason =
  | { kind: "newcomer" | "quality" | "exploration" | "seen" }
  | { kind: "watched"; title: string }
  | { kind: "label"; labelId: string }
  | { kind: "fresh"; publishedAtMs: number }
  | { kind: "views"; viewsToday: number; views: number };

/** Preferences that the visitor set in the page. The browser stores them. */
export interface FeedSteering {
  /** False if the visitor switched personalisation off. */
  isPersonal: boolean;
  /** Videos marked as not interesting. */
  notIds: readonly string[];
  lessTagIds: readonly string[];
}

/**
 * Visitor of a feed and its start time. Cursors contain everything except the visitor and their
 * preferences.
 */
export interface FeedSession {
  /** Seed of all random samples. The same seed produces the same order. */
  seed: string;
  startedAtMs: number;
  visitorId: string | null;
  /** Ids already shown by the page. */
  shownIds: readonly string[];
  steering: FeedSteering;
}

/** Start of the feed's next page. Only the ranker interprets it. */
export type FeedPosition =
  | { phase: "ranked"; offset: number }
  | { phase: "rest"; afterTrend: number | null; afterId: string | null }
  | { phase: "seen"; afterMs: number | null; afterId: string | null };

export interface FeedPage {
  items: { id: string; reason: FeedReason }[];
  /** Null once this visitor has seen everything. */
  next: FeedPosition | null;
}

/**
 * Ranker of the feed. The order is stable within a session: the same session and position return
 * the same page, even while other visitors watch.
 */
export interface FeedRanker {
  list(session: FeedSession, position: FeedPosition, limit: number): Promise<FeedPage>;
  /** Drops everything computed from a catalogue that has changed. */
  invalidate(): void;
}

export const firstPosition: FeedPosition = { phase: "ranked", offset: 0 };
