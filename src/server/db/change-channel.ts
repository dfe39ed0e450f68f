import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { warnLimited, type Logger } from "#server/lib/logger.ts";

export const changeChannel = "kinora_changed";

export type Connection = Pick<pg.PoolClient, "query">;

/** Pause before listening again after losing the connection. */
const reconnectMs = 1000;
/** A connection that takes longer to respond counts as lost. */
const responseTimeoutMs = 1500;

/** Returns the version selected by a statement. */
export async function queryVersion(
  connection: Connection,
  text: string,
  values: unknown[] = [],
): Promise<number> {
  const config = { text, values, query_timeout: responseTimeoutMs };
  const { rows } = await connection.query<{ version: number }>(config);
  return rows[0]?.version ?? 0;
}

/** Listens to the notifications of other processes. Reconnects whenever the connection is lost. */
export function listenToChannel(
  pool: pg.Pool,
  logger: Logger,
  handlers: {
    /** Called once a new connection listens. If it fails, the connection is closed. */
    onListening: (connection: Connection) => Promise<void>;
    onMessage: (payload: string) => void;
  },
) {
  let isStopped = false;
  let current: Connection | null = null;
  let lose: () => void = () => undefined;

  /** Listens until the connection is lost. */
  async function listen(): Promise<void> {
    const connection = await pool.connect();
    const lost = new Promise<void>((resolve) => {
      lose = resolve;
      connection.on("error", () => resolve());
      connection.on("end", () => resolve());
    });
    connection.on("notification", ({ payload = "" }) => handlers.onMessage(payload));
    try {
      await queryVersion(connection, `listen ${changeChannel}`);
      await handlers.onListening(connection);
      current = connection;
      if (!isStopped) await lost;
    } finally {
      current = null;
      connection.release(true);
    }
  }

  async function keepListening(): Promise<void> {
    while (!isStopped) {
      try {
        await listen();
      } catch (error) {
        if (isStopped) return;
        warnLimited(
          logger,
          "change events",
          { err: error },
          "can't receive change events from other processes, retrying",
        );
        await sleep(reconnectMs, undefined, { ref: false });
      }
    }
  }
  void keepListening();

  return {
    /** Returns the listening connection; null until it is established. */
    connection: (): Connection | null => current,
    /** Closes the connection because it failed, and opens another one. */
    reconnect: (): void => lose(),
    stop(): void {
      isStopped = true;
      lose();
    },
  };
}
