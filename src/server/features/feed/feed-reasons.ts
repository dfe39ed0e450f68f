import type { VideoReason } from "#contract/videos/video-reasons.ts";
import { scoreParts } from "./rank-samples.ts";
import { hashText } from "./random.ts";
import type { FeedReason } from "./feed-ranker.ts";
import type { FeedSnapshot } from "./feed-snapshot.ts";
import type { VisitorTaste } from "./visitor-taste.ts";

/** Returns the largest term of a candidate's score in this session. */
export function reasonOf(
  snapshot: FeedSnapshot,
  index: number,
  seed: string,
  taste: VisitorTaste | null,
): FeedReason {
  if (snapshot.newcomers.includes(index)) return { kind: "newcomer" };
  const candidate = snapshot.candidates[index];
  const row = snapshot.ranked.indexes.indexOf(index);
  const { mean, sample, freshness } = scoreParts(snapshot.ranked, row, hashText(seed));
  const parts = taste?.partsOf(index);
  const title = taste?.titleOf(parts?.becauseId ?? "") ?? null;
  // 1/2 is the usual mean, so only the part above it has lifted the video.
  const terms: [FeedReason, number][] = [
    [{ kind: "quality" }, mean - 0.5],
    [{ kind: "exploration" }, sample - mean],
    [
      { kind: "fresh", publishedAtMs: candidate?.publishedAtMs ?? 0 },
      Math.max(0, sample) * (freshness - 1),
    ],
  ];
  if (title !== null) terms.push([{ kind: "watched", title }, parts?.neighbours ?? 0]);
  if (parts?.labelId != null) {
    terms.push([{ kind: "label", labelId: parts.labelId }, parts.labels]);
  }
  const [best] = terms.toSorted(([, a], [, b]) => b - a);
  if (best !== undefined && best[1] > 0) return best[0];
  return {
    kind: "views",
    viewsToday: candidate?.viewsToday ?? 0,
    views: candidate?.impressions ?? 0,
  };
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
