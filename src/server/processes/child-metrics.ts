import cluster, { type Worker } from "node:cluster";
import {
  mergeMetrics,
  totalsOf,
  type Metrics,
  type MetricsJson,
} from "#server/lib/metrics/metrics.ts";

/** What the primary process sends to ask, and what a child sends back. */
const question = "metrics?";
interface Reply {
  metrics: MetricsJson;
}

/** A process that is busy for longer is shown as it was before. */
const patienceMs = 1000;

const isReply = (message: unknown): message is Reply =>
  typeof message === "object" && message !== null && "metrics" in message;

/** In a child: sends its metrics to the primary process whenever that asks. */
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
 * In the primary process: the metrics of all children together. What a child had counted stays after
 * its end, so that no counter ever goes back.
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
