import { binCount } from "#contract/videos/watched-bins.ts";
import { possibleWatchS } from "./engagement.ts";

/** Counts that a report adds to the curves of its video, per hundredth of the video. */
export interface AddedBins {
  plays: number;
  watched: number[];
  replayed: number[];
}

/** What is known of a play's parts: digits as in `watchedBinsPattern`, and when the play began. */
export interface PlayBins {
  digits: string;
  since: Date;
}

/**
 * Parts that a correct report can claim beyond its time, because a part counts once its middle has
 * played, and the first part at once.
 */
const roundedBins = 2;

/** Returns how often each part was played, 0 to 3. */
export function parseBins(digits: string): number[] {
  return Array.from({ length: binCount }, (_, at) => {
    const digit = Number.parseInt(digits[at >> 1] ?? "0", 16);
    return at % 2 === 0 ? digit & 3 : digit >> 2;
  });
}

/** Reverses `parseBins`. Returns an empty text if no part was played. */
export function formatBins(bins: readonly number[]): string {
  if (!bins.some((count) => count > 0)) return "";
  return Array.from({ length: binCount / 2 }, (_, at) =>
    ((bins[at * 2] ?? 0) + 4 * (bins[at * 2 + 1] ?? 0)).toString(16),
  ).join("");
}

export const noBins = (): AddedBins => ({
  plays: 0,
  watched: Array<number>(binCount).fill(0),
  replayed: Array<number>(binCount).fill(0),
});

export function addBins(sum: AddedBins, { plays, watched, replayed }: AddedBins): void {
  sum.plays += plays;
  for (let at = 0; at < binCount; at += 1) {
    sum.watched[at] = (sum.watched[at] ?? 0) + (watched[at] ?? 0);
    sum.replayed[at] = (sum.replayed[at] ?? 0) + (replayed[at] ?? 0);
  }
}

/**
 * Merges a report into what is known of its play. A report lists everything since the page was
 * opened, so repeating it adds nothing. A claim of more than can have been played since the play began
 * is ignored.
 * @returns null if nothing changes.
 */
export function claimBins(
  known: PlayBins,
  claimed: string,
  { durationS, now }: { durationS: number; now: Date },
): { digits: string; added: AddedBins } | null {
  const before = parseBins(known.digits);
  const merged = parseBins(claimed).map((count, at) => Math.max(count, before[at] ?? 0));
  const total = merged.reduce((sum, count) => sum + count, 0);
  const possibleS = possibleWatchS((now.getTime() - known.since.getTime()) / 1000);
  if ((total - roundedBins) * (durationS / binCount) > possibleS) return null;
  const digits = formatBins(merged);
  if (digits === known.digits) return null;
  // Counted once a play, so that one who repeats a part for hours counts like others.
  const replays = (count: number) => (count > 1 ? 1 : 0);
  return {
    digits,
    added: {
      plays: known.digits === "" ? 1 : 0,
      watched: merged.map((count, at) => (count > 0 && before[at] === 0 ? 1 : 0)),
      replayed: merged.map((count, at) => replays(count) - replays(before[at] ?? 0)),
    },
  };
}

/** Bins at the start that peaks leave out, because a clip that repeats starts there. */
const startBins = 2;
/** A peak has at least this many times the mean replays, and replays in this share of plays. */
const peak = { overMean: 2, share: 0.05 };

/** Returns the bins of the most replayed part, as [from, to), or null if none stands out. */
export function findReplayPeak(
  replayed: readonly number[],
  plays: number,
): [number, number] | null {
  const smooth = replayed.map((_, at) => {
    const near = replayed.slice(Math.max(0, at - 1), at + 2);
    return near.reduce((sum, count) => sum + count, 0) / near.length;
  });
  const mean = smooth.reduce((sum, count) => sum + count, 0) / smooth.length;
  const highest = Math.max(...smooth.slice(startBins));
  if (highest < peak.overMean * mean || highest < peak.share * plays) return null;
  const top = smooth.indexOf(highest, startBins);
  const isPart = (at: number) => (smooth[at] ?? 0) >= highest / 2;
  let from = top;
  let to = top + 1;
  while (from > startBins && isPart(from - 1)) from -= 1;
  while (to < smooth.length && isPart(to)) to += 1;
  return [from, to];
}
