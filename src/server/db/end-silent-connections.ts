import pg from "pg";
import { warnLimited, type Logger } from "#server/lib/logger.ts";

export interface SilenceLimits {
  /** Time that a connection may be in use before the server is checked. */
  patienceMs: number;
  /** Time in which a busy server accepts a connection and responds. */
  responseTimeoutMs: number;
}
const defaultLimits: SilenceLimits = { patienceMs: 3000, responseTimeoutMs: 5000 };

/** Returns whether the server accepts a connection and responds, even with an error. */
async function responds(connectionString: string, responseTimeoutMs: number): Promise<boolean> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: responseTimeoutMs,
    query_timeout: responseTimeoutMs,
    application_name: "kinora check",
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch (error) {
    // Errors with a code come from the server or from this machine.
    return error instanceof Error && "code" in error && error.code !== "ETIMEDOUT";
  } finally {
    void client.end().catch(() => undefined);
  }
}

/**
 * Ends the connections in use if the server stops responding, for example because a network drops
 * packets. Their statements fail at once instead of after minutes. Slow statements continue as long
 * as the server responds.
 */
export function endSilentConnections(
  pool: pg.Pool,
  connectionString: string,
  logger: Logger,
  { patienceMs, responseTimeoutMs } = defaultLimits,
): void {
  const usedSince = new Map<pg.PoolClient, number>();
  pool.on("acquire", (client) => usedSince.set(client, performance.now()));
  pool.on("release", (_error, client) => usedSince.delete(client));
  pool.on("remove", (client) => usedSince.delete(client));

  /**
   * Returns connections that have been in use for long. Skips the listening one, which waits for
   * messages and not for a response.
   */
  const listWaiting = () =>
    [...usedSince].filter(
      ([client, since]) =>
        since < performance.now() - patienceMs && client.listenerCount("notification") === 0,
    );

  let isChecking = false;
  async function check(): Promise<void> {
    const waiting = listWaiting();
    if (isChecking || waiting.length === 0) return;
    isChecking = true;
    const isSilent = !(await responds(connectionString, responseTimeoutMs));
    isChecking = false;
    if (!isSilent) return;
    const stuck = waiting.filter(([client, since]) => usedSince.get(client) === since);
    if (stuck.length === 0) return;
    const about = { connections: stuck.length };
    warnLimited(
      logger,
      "silent database",
      about,
      "the database doesn't respond, ending connections",
    );
    for (const [client] of stuck) void client.end().catch(() => undefined);
  }
  setInterval(() => void check(), patienceMs).unref();
}
