import type { Config } from "#server/config.ts";
import type { Db } from "#server/db/connection.ts";
import { mergeMetrics } from "#server/lib/metrics/merge-metrics.ts";
import { createMetrics } from "#server/lib/metrics/metrics.ts";
import { addProcessMetrics } from "#server/lib/metrics/process-metrics.ts";
import { metricsType, renderMetrics } from "#server/lib/metrics/render-metrics.ts";
import { createChildMetrics } from "./child-metrics.ts";
import type { ListenAddress } from "./listen-address.ts";
import { startOperationsServer, type OperationsServer } from "./operations-server.ts";
import { addSharedMetrics } from "./shared-metrics.ts";

/** What operators ask the primary process: the metrics of all processes of this machine. */
export function startPrimaryOperations(
  address: ListenAddress,
  { config, db }: { config: Pick<Config, "dataDir">; db: Db },
): Promise<OperationsServer> {
  const children = createChildMetrics();
  const own = createMetrics();
  addProcessMetrics(own, "primary");
  addSharedMetrics(own, { db, dataDir: config.dataDir });
  return startOperationsServer(address, {
    "/metrics": async () => {
      const all = await Promise.all([own.collect(), children.collect()]);
      return { status: 200, type: metricsType, body: renderMetrics(mergeMetrics(all)) };
    },
  });
}
