import { Histogram } from "prom-client";
import { expect, test } from "vitest";
import { addCounter, addReading, createMetrics, mergeMetrics, totalsOf } from "./metrics.ts";

test("leaves out metrics that can't be read and shows known labels from the start", async () => {
  const metrics = createMetrics();
  addCounter(metrics, "uploads_total", "Uploads.", [{ result: "accepted" }]).inc({ result: "bad" });
  addReading(metrics, "gauge", { name: "free_bytes", help: "Free bytes." }, async () => [
    { value: 5 },
  ]);
  addReading(metrics, "gauge", { name: "broken", help: "Cannot be read.", labelNames: ["x"] }, () =>
    Promise.reject(new Error("away")),
  );
  const text = await metrics.metrics();
  expect(text).toContain('uploads_total{result="accepted"} 0\nuploads_total{result="bad"} 1\n');
  expect(text).toContain("free_bytes 5\n");
  expect(text).not.toMatch(/^broken/m);
  // A second scrape reads again.
  expect(await metrics.metrics()).toContain("free_bytes 5\n");
});

test("adds up several processes, keeps their gauges separate, and retains the totals of ended ones", async () => {
  const collect = (process: string) => {
    const metrics = createMetrics();
    addCounter(metrics, "calls_total", "Calls.", [{ route: "/" }]).inc({ route: "/" });
    new Histogram({
      name: "duration_seconds",
      help: "Durations.",
      buckets: [1],
      registers: [metrics],
    }).observe(0.5);
    const labelNames = ["process"];
    addReading(metrics, "gauge", { name: "memory_bytes", help: "Memory.", labelNames }, () => [
      { labels: { process }, value: 7 },
    ]);
    addReading(metrics, "counter", { name: "cpu_seconds_total", help: "Time.", labelNames }, () => [
      { labels: { process }, value: 3 },
    ]);
    return metrics.getMetricsAsJSON();
  };
  const [first, second] = await Promise.all([collect("web-1"), collect("web-2")]);
  const merged = await mergeMetrics([first, second]).metrics();
  expect(merged).toContain('calls_total{route="/"} 2\n');
  expect(merged).toContain('duration_seconds_bucket{le="1"} 2\n');
  expect(merged).toContain("duration_seconds_sum 1\n");
  expect(merged).toContain('memory_bytes{process="web-1"} 7\nmemory_bytes{process="web-2"} 7\n');

  const after = await mergeMetrics([totalsOf(first), second]).metrics();
  expect(after).toContain('calls_total{route="/"} 2\n');
  expect(after).not.toContain("web-1");
});
