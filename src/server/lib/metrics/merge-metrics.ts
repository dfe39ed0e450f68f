import type { MetricFamily } from "./metrics.ts";

/** Adds up the metrics of several processes. Samples with the same labels become their sum. */
export function mergeMetrics(all: readonly (readonly MetricFamily[])[]): MetricFamily[] {
  const merged = new Map<string, MetricFamily>();
  for (const family of all.flat()) {
    const known = merged.get(family.name);
    if (known === undefined) merged.set(family.name, structuredClone(family));
    else addTo(known, family);
  }
  return [...merged.values()];
}

function addTo(family: MetricFamily, { samples }: MetricFamily): void {
  const known = new Map(family.samples.map((sample) => [sample.labels, sample]));
  for (const sample of samples) {
    const same = known.get(sample.labels);
    if (same === undefined) {
      family.samples.push(structuredClone(sample));
      continue;
    }
    same.value += sample.value;
    same.buckets = same.buckets?.map((count, at) => count + (sample.buckets?.[at] ?? 0));
  }
}

/** What stays of a process that has ended: its totals, so that no counter ever goes back. */
export const totalsOf = (families: readonly MetricFamily[]): MetricFamily[] =>
  families.filter(({ type, samples }) => type !== "gauge" && !samples.some(isOfProcess));

/** Values of one process have its name; with it their series ends. */
const isOfProcess = ({ labels }: { labels: string }): boolean => /(^|,)process="/.test(labels);
