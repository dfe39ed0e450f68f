import type { MetricFamily } from "./metrics.ts";

/** The content type of the text format of Prometheus. */
export const metricsType = "text/plain; version=0.0.4; charset=utf-8";

/** Writes metrics in the text format of Prometheus. */
export const renderMetrics = (families: readonly MetricFamily[]): string =>
  families.map((family) => `${renderFamily(family).join("\n")}\n`).join("");

const withLabels = (name: string, ...labels: string[]): string => {
  const text = labels.filter((label) => label !== "").join(",");
  return text === "" ? name : `${name}{${text}}`;
};

function renderFamily({ name, help, type, bounds = [], samples }: MetricFamily): string[] {
  const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
  for (const { labels, value, buckets } of samples) {
    if (buckets === undefined) {
      lines.push(`${withLabels(name, labels)} ${value}`);
      continue;
    }
    let total = 0;
    for (const [at, count] of buckets.entries()) {
      total += count;
      const bound = bounds[at] ?? "+Inf";
      lines.push(`${withLabels(`${name}_bucket`, labels, `le="${bound}"`)} ${total}`);
    }
    lines.push(`${withLabels(`${name}_sum`, labels)} ${value}`);
    lines.push(`${withLabels(`${name}_count`, labels)} ${total}`);
  }
  return lines;
}
