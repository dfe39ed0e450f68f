import { scoreParts } from "./rank-samples.ts";
import { hashText } from "./random.ts";
import type { FeedReason } from "./feed-ranker.ts";
import type { FeedSnapshot } from "./feed-snapshot.ts";
import type { VisitorTaste } from "./visitor-taste.ts";

/** Which term of the score of a candidate is the largest, in this session. */
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
  // 1/2 is what is usual, so only what is above it has lifted the video.
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

/** The sentence for visitors. @param nameOf the name of a label of this video. */
export function reasonText(
  reason: FeedReason,
  nameOf: (labelId: string) => string | null,
  nowMs: number,
): string {
  switch (reason.kind) {
    case "newcomer":
      return "New, shown to few so far";
    case "watched":
      return `Because you watched ${reason.title}`;
    case "label": {
      const name = nameOf(reason.labelId);
      return name === null ? "Like what you watch" : `Because you watch ${name}`;
    }
    case "quality":
      return "Watched longer than most of its length";
    case "exploration":
      return "Picked by chance, to learn who likes it";
    case "fresh":
      return nowMs - reason.publishedAtMs < dayMs ? "Published today" : "Published recently";
    case "views":
      return viewsText(reason);
    case "seen":
      return "You watched this before";
  }
}

const number = new Intl.NumberFormat("en");
const views = (count: number) => `${number.format(count)} ${count === 1 ? "view" : "views"}`;

function viewsText({ viewsToday, views: all }: { viewsToday: number; views: number }): string {
  return viewsToday > 0 ? `${views(viewsToday)} in 24 h` : `${views(all)} so far`;
}
