/** Number of equal parts of a video, and of passes that are told apart. */
const binCount = 100;
const maxPasses = 3;

/**
 * Returns which hundredths of a video were played, as in `watchedBinsPattern`. A hundredth counts once
 * its middle has played, and at once if playback began in it. Returns undefined if the browser asks
 * sites not to measure what its user does.
 * @param ranges start and end in seconds of each stretch that was played, one after the other.
 */
export function formatBins(ranges: readonly number[], durationS: number): string | undefined {
  const settings: Navigator & { globalPrivacyControl?: boolean } = navigator;
  if (settings.globalPrivacyControl === true || settings.doNotTrack === "1") return undefined;
  const passes = new Uint8Array(binCount);
  const binOf = (timeS = 0) => Math.min(binCount, Math.round((timeS / durationS) * binCount));
  for (let at = 0; at < ranges.length; at += 2) {
    const end = binOf(ranges[at + 1]);
    for (let bin = binOf(ranges[at]); bin < end; bin += 1) {
      passes[bin] = Math.min(maxPasses, (passes[bin] ?? 0) + 1);
    }
  }
  const [beganS] = ranges;
  if (beganS !== undefined) passes[Math.floor((beganS / durationS) * binCount)] ||= 1;
  return Array.from({ length: binCount / 2 }, (_, at) =>
    ((passes[at * 2] ?? 0) + 4 * (passes[at * 2 + 1] ?? 0)).toString(16),
  ).join("");
}
