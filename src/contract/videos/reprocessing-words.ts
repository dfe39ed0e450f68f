import { formatFileSize } from "./file-size.ts";
import type { ReprocessingPlan } from "./reprocessing-plan.ts";

const spans = [
  { name: "day", seconds: 86_400 },
  { name: "hour", seconds: 3600 },
  { name: "minute", seconds: 60 },
] as const;

/** Returns a text such as "about 40 minutes" or "about 3.5 hours". */
export function describeSpan(seconds: number): string {
  const span = spans.find((each) => seconds >= each.seconds);
  if (span === undefined) return "less than a minute";
  const count = Math.round((seconds / span.seconds) * 10) / 10;
  return `about ${count.toLocaleString("en")} ${span.name}${count === 1 ? "" : "s"}`;
}

const videosOf = (count: number): string =>
  `${count.toLocaleString("en")} video${count === 1 ? "" : "s"}`;

/** Describes the time and storage in sentences, for the back office and the command line. */
export function describeReprocessing(plan: ReprocessingPlan): string {
  const left = plan.videos - plan.ready;
  const cost =
    plan.ready === 0
      ? "There is nothing to reprocess right now."
      : `Reprocessing ${videosOf(plan.ready)} takes ${describeSpan(plan.processorS)} of processor time and up to ${formatFileSize(plan.extraBytes)} of extra space for a day.`;
  if (left === 0) return cost;
  const underWay =
    plan.underWay === 0 ? "" : ` (${plan.underWay.toLocaleString("en")} in progress)`;
  return `${cost} ${videosOf(left)} ${left === 1 ? "was" : "were"} skipped: not ready, or already being processed${underWay}.`;
}
