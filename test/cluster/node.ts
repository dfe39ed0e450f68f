import serverEnv from "../../setup/process/server-env.json" with { type: "json" };
import { createDaemon, type Daemon } from "../harness/daemon.ts";
import { findFreePort, root } from "../harness/server-process.ts";

/** Node of the site: one process on its own port. */
export interface Node {
  name: string;
  daemon: Daemon;
  port: number;
  url: string;
  metricsUrl: string;
  /** Returns whether `/readyz` reports it as ready. */
  isReady(): Promise<boolean>;
}

export async function createNode(
  name: string,
  role: "web" | "worker",
  env: Record<string, string>,
): Promise<Node> {
  // A worker serves its health checks on the metrics port.
  const metricsPort = await findFreePort();
  const port = role === "web" ? await findFreePort() : metricsPort;
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) }).then(
      ({ status }) => status === 200,
      () => false,
    );
  const daemon = createDaemon({
    name,
    command: [process.execPath, "src/server/main.ts"],
    cwd: root,
    env: {
      ...serverEnv,
      HOST: "127.0.0.1",
      ROLE: role,
      WEB_PROCESSES: "1",
      LOG_LEVEL: "warn",
      METRICS_PORT: String(metricsPort),
      ...(role === "web" ? { PORT: String(port) } : {}),
      ...env,
    },
    isReady,
  });
  return {
    name,
    daemon,
    port,
    url,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    isReady,
  };
}
