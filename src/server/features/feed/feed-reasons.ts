import type { VideoReason } from "#server/lib/video-reasons.ts";
import { scoreOf, scoreParts, type Scored } from "./candidate-pool.ts";
import { hashText } from "./ranking.ts";
import type { FeedReason } from "./feed-ranker.ts";
import type { FeedCandidate } from "./feed.repository.ts";
import type { VisitorTaste } from "./taste.ts";

/** Returns the score by which a candidate is ranked in this session; null for a newcomer. */
export function rankedScore(
  candidate: Scored,
  seed: string,
  taste: VisitorTaste | null,
): number | null {
  if (candidate.isNewcomer) return null;
  return scoreOf(candidate, hashText(seed), taste?.byId.get(candidate.id)?.value ?? 0);
}

/**
 * Returns the reason for a candidate's position: the term without which the candidate wouldn't be
 * on its page. If there are several such terms, taste comes first, then the largest.
 * @param next score of the best video that isn't on the page; Infinity if every video is.
 */
export function reasonOf(
  candidate: Scored<FeedCandidate>,
  seed: string,
  taste: VisitorTaste | null,
  next: number,
): FeedReason {
  const score = rankedScore(candidate, seed, taste);
  if (score === null) return { kind: "newcomer" };
  const { mean, sample, freshness } = scoreParts(candidate, hashText(seed));
  const own = taste?.byId.get(candidate.id);
  const title = taste?.titleOf(own?.becauseId ?? "") ?? null;
  // 1/2 is average, so only what is above it has raised the video.
  const terms: { reason: FeedReason; added: number; isTasteTerm: boolean }[] = [
    { reason: { kind: "quality" }, added: (mean - 0.5) * freshness, isTasteTerm: false },
    { reason: { kind: "exploration" }, added: (sample - mean) * freshness, isTasteTerm: false },
    {
      reason: { kind: "fresh", publishedAtMs: candidate.publishedAtMs },
      added: Math.max(0, sample) * (freshness - 1),
      isTasteTerm: false,
    },
  ];
  const lifted = (own?.value ?? 0) * freshness;
  if (own !== undefined && lifted > 0) {
    const isWatched = title !== null && own.neighbours >= own.labels;
    if (isWatched)
      terms.push({ reason: { kind: "watched", title }, added: lifted, isTasteTerm: true });
    else if (own.labelId !== null) {
      const reason: FeedReason = { kind: "label", labelId: own.labelId };
      terms.push({ reason, added: lifted, isTasteTerm: true });
    }
  }
  const positive = terms.filter(({ added }) => added > 0).toSorted((a, b) => b.added - a.added);
  const needed = positive.filter(({ added }) => score - added < next);
  const best = needed.find(({ isTasteTerm }) => isTasteTerm) ?? needed[0] ?? positive[0];
  if (best !== undefined) return best.reason;
  return { kind: "views", viewsToday: candidate.viewsToday, views: candidate.impressions };
}

const dayMs = 24 * 3600 * 1000;

/**
 * Returns the reason as shown to visitors. @param nameOf returns the name of a label of this video.
 */
export function shownReason(
  reason: FeedReason,
  nameOf: (labelId: string) => string | null,
  nowMs: number,
): VideoReason {
  switch (reason.kind) {
    case "watched":
      return { kind: "watched", name: reason.title };
    case "label": {
      const name = nameOf(reason.labelId);
      return name === null ? { kind: "taste" } : { kind: "label", name };
    }
    case "fresh":
      return {
        kind: nowMs - reason.publishedAtMs < dayMs ? "publishedToday" : "publishedRecently",
      };
    case "views":
      return reason.viewsToday > 0
        ? { kind: "viewsToday", count: reason.viewsToday }
        : { kind: "viewsSoFar", count: reason.views };
    default:
      return { kind: reason.kind };
  }
}
