import type { Context } from "./context.ts";
import { metricsAddress } from "./processes/listen-address.ts";
import { startOperationsServer, type OperationsServer } from "./processes/operations-server.ts";
import { addSharedMetrics } from "./processes/shared-metrics.ts";

/**
 * Starts the operations server of a process that is alone on its machine. Returns null if no port
 * is configured.
 */
export async function startOperations(context: Context): Promise<OperationsServer | null> {
  const { config, db, metrics, findReadiness } = context;
  const address = metricsAddress(config);
  if (address === null) return null;
  addSharedMetrics(metrics, { db, dataDir: config.dataDir });
  return startOperationsServer(address, {
    "/metrics": async () => ({
      status: 200,
      type: metrics.contentType,
      body: await metrics.metrics(),
    }),
    "/readyz": async () => {
      const readiness = await findReadiness();
      return {
        status: readiness.status === "ok" ? 200 : 503,
        type: "application/json",
        body: JSON.stringify(readiness),
      };
    },
  });
}
