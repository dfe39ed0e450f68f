import type pg from "pg";
import type { Logger } from "../lib/logger.ts";

const channel = "kinora_changed";

/** Tells every process on this database that what visitors see has changed. */
export interface ChangeFeed {
  /** Runs the listeners here at once and those of other processes within milliseconds. */
  publish(): Promise<void>;
  onChange(listener: () => void): void;
  stop(): Promise<void>;
}

/** How long to wait before listening again after the connection was lost. */
const reconnectMs = 1000;

export function createChangeFeed(pool: pg.Pool, logger: Logger): ChangeFeed {
  const listeners: (() => void)[] = [];
  let client: pg.PoolClient | null = null;
  let retry: NodeJS.Timeout | null = null;
  let isStopped = false;

  const notifyListeners = () => {
    for (const listener of listeners) listener();
  };

  function listenAgain(): void {
    if (isStopped || retry !== null) return;
    retry = setTimeout(() => {
      retry = null;
      void listen();
    }, reconnectMs);
    retry.unref();
  }

  async function listen(): Promise<void> {
    if (isStopped) return;
    try {
      const fresh = await pool.connect();
      const lose = (error?: Error) => {
        if (client !== fresh) return;
        client = null;
        fresh.release(error ?? true);
        listenAgain();
      };
      client = fresh;
      fresh.on("notification", notifyListeners);
      fresh.on("error", lose);
      fresh.on("end", () => lose());
      await fresh.query(`listen ${channel}`);
      // Whatever was said while nobody listened was missed.
      notifyListeners();
    } catch (error) {
      logger.warn({ err: error }, "not hearing of changes made by other processes; trying again");
      listenAgain();
    }
  }
  void listen();

  return {
    async publish() {
      notifyListeners();
      await pool.query(`select pg_notify('${channel}', '')`);
    },
    onChange(listener) {
      listeners.push(listener);
    },
    async stop() {
      isStopped = true;
      if (retry !== null) clearTimeout(retry);
      const held = client;
      client = null;
      held?.release(true);
    },
  };
}
