import { Histogram } from "prom-client";
import { addReading, type Metrics } from "#server/lib/metrics/metrics.ts";
import type { HttpCore } from "./app.ts";

const durationsS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Measures requests by route, and the response cache. Call it before routes are registered. */
export function registerHttpMetrics(
  { app, cache }: HttpCore,
  metrics: Metrics,
  name: string,
): void {
  const requests = new Histogram({
    name: "kinora_http_request_duration_seconds",
    help: "Time until the first byte of responses that didn't come from the response cache.",
    labelNames: ["method", "route", "status"],
    buckets: durationsS,
    registers: [metrics],
  });
  app.addHook("onResponse", (request, reply, done) => {
    const labels = {
      method: methods.has(request.method) ? request.method : "other",
      // Addresses without a route are pages.
      route: request.is404 ? "pages" : (request.routeOptions.url ?? "none"),
      status: `${Math.floor(reply.statusCode / 100)}xx`,
    };
    requests.observe(labels, (reply.beganAfterMs ?? reply.elapsedTime) / 1000);
    done();
  });

  addReading(
    metrics,
    "counter",
    {
      name: "kinora_cache_hits_total",
      help: "Responses sent from the response cache.",
    },
    () => [{ value: cache.stats.hits }],
  );
  addReading(
    metrics,
    "counter",
    {
      name: "kinora_cache_misses_total",
      help: "Requests that missed the response cache.",
    },
    () => [{ value: cache.stats.misses }],
  );
  addReading(
    metrics,
    "gauge",
    {
      name: "kinora_cache_bytes",
      help: "Memory used by the response cache.",
      labelNames: ["process"],
    },
    () => [{ labels: { process: name }, value: cache.stats.bytes }],
  );
}
