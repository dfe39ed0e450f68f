import { expect, test } from "vitest";
import { mergeMetrics, totalsOf } from "./merge-metrics.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { renderMetrics } from "./render-metrics.ts";

const textOf = async (metrics: Metrics) => renderMetrics(await metrics.collect());

test("metrics are written in the text format of Prometheus", async () => {
  const metrics = createMetrics();
  const uploads = metrics.counter("uploads_total", "Uploads.");
  uploads.add({ result: "accepted" });
  uploads.add({ result: 'a "quoted"\\\nvalue' }, 2);
  const duration = metrics.histogram("duration_seconds", "Durations.", [0.1, 1]);
  for (const seconds of [0.05, 0.1, 0.5, 7]) duration.observe({}, seconds);
  metrics.read("gauge", "free_bytes", "Free bytes.", async () => [{ value: 5 }]);
  metrics.read("gauge", "broken", "Cannot be read.", () => Promise.reject(new Error("away")));
  expect(await textOf(metrics)).toBe(`# HELP uploads_total Uploads.
# TYPE uploads_total counter
uploads_total{result="accepted"} 1
uploads_total{result="a \\"quoted\\"\\\\\\nvalue"} 2
# HELP duration_seconds Durations.
# TYPE duration_seconds histogram
duration_seconds_bucket{le="0.1"} 2
duration_seconds_bucket{le="1"} 3
duration_seconds_bucket{le="+Inf"} 4
duration_seconds_sum 7.65
duration_seconds_count 4
# HELP free_bytes Free bytes.
# TYPE free_bytes gauge
free_bytes 5
# HELP broken Cannot be read.
# TYPE broken gauge
`);
});

test("metrics of several processes are added up, and gauges stay apart by process", async () => {
  const collect = (process: string) => {
    const metrics = createMetrics();
    metrics.counter("calls_total", "Calls.").add({ route: "/" });
    metrics.histogram("duration_seconds", "Durations.", [1]).observe({}, 0.5);
    metrics.read("gauge", "memory_bytes", "Memory.", () => [{ labels: { process }, value: 7 }]);
    metrics.read("counter", "cpu_seconds_total", "Time.", () => [
      { labels: { process }, value: 3 },
    ]);
    return metrics.collect();
  };
  const [first, second] = await Promise.all([collect("web-1"), collect("web-2")]);
  const merged = renderMetrics(mergeMetrics([first, second]));
  expect(merged).toContain('calls_total{route="/"} 2\n');
  expect(merged).toContain('duration_seconds_bucket{le="1"} 2\n');
  expect(merged).toContain("duration_seconds_sum 1\n");
  expect(merged).toContain('memory_bytes{process="web-1"} 7\nmemory_bytes{process="web-2"} 7\n');

  // After the end of a process its totals stay, and what is its own goes.
  const after = renderMetrics(mergeMetrics([totalsOf(first), second]));
  expect(after).toContain('calls_total{route="/"} 2\n');
  expect(after).not.toContain("web-1");
});
