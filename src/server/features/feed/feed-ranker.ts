/** Why a video stands where it does: the term of its score that weighed most. */
export type FeedReason =
  | { kind: "newcomer" | "quality" | "exploration" | "seen" }
  | { kind: "watched"; title: string }
  | { kind: "label"; labelId: string }
  | { kind: "fresh"; publishedAtMs: number }
  | { kind: "views"; viewsToday: number; views: number };

/** What the visitor asked for in the page; the browser keeps it. */
export interface FeedSteering {
  /** False where their taste is switched off. */
  isPersonal: boolean;
  /** Videos that they were not interested in. */
  notIds: readonly string[];
  lessTagIds: readonly string[];
}

/**
 * For which visitor the feed is ordered, and since when. Cursors carry all of it but the visitor and
 * what they asked for.
 */
export interface FeedSession {
  /** Decides every random sample: the same seed gives the same order. */
  seed: string;
  startedAtMs: number;
  visitorId: string | null;
  /** Ids that the page shows already. */
  shownIds: readonly string[];
  steering: FeedSteering;
}

/** Where the next page of the feed starts; only the ranker reads what is in it. */
export type FeedPosition =
  | { phase: "ranked"; offset: number }
  | { phase: "rest"; afterTrend: number | null; afterId: string | null }
  | { phase: "seen"; afterMs: number | null; afterId: string | null };

export interface FeedPage {
  items: { id: string; reason: FeedReason }[];
  /** Null when this visitor has been shown everything. */
  next: FeedPosition | null;
}

/**
 * Decides what comes next. The order is stable inside a session: the same session and position give
 * the same page, whatever other visitors do meanwhile. A better ranking implements this interface.
 */
export interface FeedRanker {
  list(session: FeedSession, position: FeedPosition, limit: number): Promise<FeedPage>;
  /** The catalogue has changed: drops what was computed from it. */
  invalidate(): void;
}

export const firstPosition: FeedPosition = { phase: "ranked", offset: 0 };
