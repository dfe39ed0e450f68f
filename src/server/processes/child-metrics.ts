import cluster, { type Worker } from "node:cluster";
import {
  mergeMetrics,
  totalsOf,
  type Metrics,
  type MetricsJson,
} from "#server/lib/metrics/metrics.ts";

/** Request from the primary process, and a child's reply. */
const question = "metrics?";
interface Reply {
  metrics: MetricsJson;
}

/** Time limit for a child's reply. If a process is too busy, its previous metrics are reported. */
const patienceMs = 1000;

const isReply = (message: unknown): message is Reply =>
  typeof message === "object" && message !== null && "metrics" in message;

/** Sends a child's metrics to the primary process on request. */
export function sendMetricsToPrimary(metrics: Metrics): void {
  process.on("message", (message) => {
    if (message !== question) return;
    void metrics.getMetricsAsJSON().then((all) => {
      const reply: Reply = { metrics: all };
      // The channel closes when the primary process ends.
      if (process.connected) process.send?.(reply);
    });
  });
}

/**
 * Collects the metrics of all children in the primary process. Retains the counts of children that
 * have ended, so that no counter ever decreases.
 */
export function createChildMetrics(): { collect(): Promise<MetricsJson[]> } {
  const latest = new Map<number, MetricsJson>();
  let ended: Promise<MetricsJson> = Promise.resolve([]);
  cluster.on("exit", ({ id }) => {
    const totals = totalsOf(latest.get(id) ?? []);
    ended = ended.then((before) => mergeMetrics([before, totals]).getMetricsAsJSON());
    latest.delete(id);
  });
  cluster.on("message", ({ id }: Worker, message: unknown) => {
    if (isReply(message)) latest.set(id, message.metrics);
  });

  async function ask(worker: Worker): Promise<void> {
    const signal = AbortSignal.timeout(patienceMs);
    const { promise, resolve } = Promise.withResolvers<void>();
    const listen = (message: unknown) => {
      if (isReply(message)) resolve();
    };
    signal.addEventListener("abort", () => resolve());
    worker.on("message", listen);
    worker.send(question, () => undefined);
    await promise;
    worker.off("message", listen);
  }

  return {
    async collect() {
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
      await Promise.all(workers.map(ask));
      return [await ended, ...latest.values()];
    },
  };
}
