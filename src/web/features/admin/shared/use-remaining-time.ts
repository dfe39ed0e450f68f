import { useEffect, useRef, useState } from "react";
import { progressShares } from "#contract/videos/progress-shares.ts";
import { plural } from "#web/lib/format/english-counts.ts";

export interface ProgressSample {
  atMs: number;
  progress: number;
}

/** Processing speed is measured over the last minute, after the first few seconds. */
const windowMs = 60_000;
const minWindowMs = 4_000;

/**
 * Long steps. The remaining time counts to `end`: until the video is playable, or until processing
 * is complete.
 */
const longSteps = [
  { share: progressShares.playable, end: progressShares.playable[1] },
  { share: progressShares.ladder, end: 1 },
];

// A queued step counts as not started.
const stepAt = (progress: number) =>
  longSteps.find(({ share: [from, to] }) => progress > from && progress < to);

/** Adds a sample. Drops old ones and those of another step. */
export function addSample(
  samples: readonly ProgressSample[],
  sample: ProgressSample,
): ProgressSample[] {
  const step = stepAt(sample.progress);
  const kept = samples.filter(
    ({ atMs, progress }) =>
      stepAt(progress) === step && sample.atMs - atMs <= windowMs && progress < sample.progress,
  );
  return [...kept, sample];
}

/** Estimates the remaining time from the observed speed. Null until there are enough samples. */
export function remainingS(samples: readonly ProgressSample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || last.atMs - first.atMs < minWindowMs)
    return null;
  const step = stepAt(last.progress);
  if (step === undefined) return null;
  const perMs = (last.progress - first.progress) / (last.atMs - first.atMs);
  return (step.end - last.progress) / perMs / 1000;
}

/** Returns a text such as "about 3 minutes". */
export function describeRemaining(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 1) return "less than a minute";
  return minutes < 90
    ? `about ${plural(minutes, "minute", "minutes")}`
    : `about ${plural(Math.round(minutes / 60), "hour", "hours")}`;
}

/** Milliseconds without progress after which the speed counts as unknown. */
const staleMs = 60_000;

/** Estimates the remaining processing time from progress events. Null while unknown. */
export function useRemainingTime(progress: number | null): string | null {
  const samples = useRef<ProgressSample[]>([]);
  const [leftS, setLeftS] = useState<number | null>(null);
  useEffect(() => {
    samples.current =
      progress === null ? [] : addSample(samples.current, { atMs: performance.now(), progress });
    setLeftS(remainingS(samples.current));
    const timer = setTimeout(() => setLeftS(null), staleMs);
    return () => clearTimeout(timer);
  }, [progress]);
  return leftS === null ? null : describeRemaining(leftS);
}
