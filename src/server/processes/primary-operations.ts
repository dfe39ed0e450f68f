import type { Config } from "#server/config.ts";
import type { Db } from "#server/db/connection.ts";
import { createMetrics, mergeMetrics } from "#server/lib/metrics/metrics.ts";
import { addProcessMetrics } from "#server/lib/metrics/process-metrics.ts";
import { createChildMetrics } from "./child-metrics.ts";
import type { ListenAddress } from "./listen-address.ts";
import { startOperationsServer, type OperationsServer } from "./operations-server.ts";
import { addSharedMetrics } from "./shared-metrics.ts";

/** Serves the metrics of all processes of this machine from the primary process. */
export function startPrimaryOperations(
  address: ListenAddress,
  { config, db }: { config: Config; db: Db },
): Promise<OperationsServer> {
  const children = createChildMetrics();
  const own = createMetrics();
  addProcessMetrics(own, "primary");
  addSharedMetrics(own, { db, dataDir: config.dataDir });
  return startOperationsServer(address, {
    "/metrics": async () => {
      const [mine, others] = await Promise.all([own.getMetricsAsJSON(), children.collect()]);
      const merged = mergeMetrics([mine, ...others]);
      return { status: 200, type: merged.contentType, body: await merged.metrics() };
    },
  });
}
