import type pg from "pg";
import type { Logger } from "../lib/logger.ts";

const channel = "kinora_changed";

/** The payload of the event that a trigger of the database sends. */
const sessionsPayload = "sessions";

/** Tells every process on this database that what visitors see has changed, or who is signed in. */
export interface ChangeEvents {
  /** Runs the listeners of this process at once and those of other processes within milliseconds. */
  publish(): Promise<void>;
  onChange(listener: () => void): void;
  /** Sessions have ended, or the role of a user has changed, in any process. */
  onSessionsEnded(listener: () => void): void;
  stop(): Promise<void>;
}

/** How long to wait before listening again after the connection was lost. */
const reconnectMs = 1000;

export function createChangeEvents(pool: pg.Pool, logger: Logger): ChangeEvents {
  const changeListeners: (() => void)[] = [];
  const sessionListeners: (() => void)[] = [];
  let client: pg.PoolClient | null = null;
  let retry: NodeJS.Timeout | null = null;
  let isStopped = false;

  const notify = (listeners: (() => void)[]) => {
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
      const connected = await pool.connect();
      const lose = (error?: Error) => {
        if (client !== connected) return;
        client = null;
        connected.release(error ?? true);
        listenAgain();
      };
      client = connected;
      connected.on("notification", ({ payload }) =>
        notify(payload === sessionsPayload ? sessionListeners : changeListeners),
      );
      connected.on("error", lose);
      connected.on("end", () => lose());
      await connected.query(`listen ${channel}`);
      // Events that were sent while this process did not listen are lost.
      notify(changeListeners);
      notify(sessionListeners);
    } catch (error) {
      logger.warn({ err: error }, "cannot receive change events of other processes; trying again");
      listenAgain();
    }
  }
  void listen();

  return {
    async publish() {
      notify(changeListeners);
      await pool.query(`select pg_notify('${channel}', '')`);
    },
    onChange(listener) {
      changeListeners.push(listener);
    },
    onSessionsEnded(listener) {
      sessionListeners.push(listener);
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
