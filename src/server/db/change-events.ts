import type pg from "pg";
import { setTimeout as wait } from "node:timers/promises";
import { newToken } from "#server/lib/ids.ts";
import { warnLimited, type Logger } from "#server/lib/logger.ts";
import { createContentVersion } from "./content-version.ts";
import { changesOf, parseChangeMessage, type Changes, type PublishChanges } from "./change-tags.ts";

const changeChannel = "kinora_changed";

type Connection = Pick<pg.PoolClient, "query">;

/** Pause before listening again after losing the connection. */
const reconnectMs = 1000;
/** A connection that takes longer to respond counts as lost. */
const responseTimeoutMs = 1500;

/** Returns the version selected by a statement. */
async function queryVersion(
  connection: Connection,
  text: string,
  values: unknown[] = [],
): Promise<number> {
  const config = { text, values, query_timeout: responseTimeoutMs };
  const { rows } = await connection.query<{ version: number }>(config);
  return rows[0]?.version ?? 0;
}

/** Listens to the notifications of other processes. Reconnects whenever the connection is lost. */
function listenToChannel(
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
        await wait(reconnectMs, undefined, { ref: false });
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

/** Payload of the event sent by a database trigger. */
const sessionsPayload = "sessions";

/**
 * Events that notify every process on this database of changed public data and ended sessions.
 *
 * Each event increments the version in the table `change_version` and contains the new version. A
 * process detects missed events by a gap between versions, or because the version in the database,
 * which it reads regularly, stays ahead of the events. It then reports `everything`.
 * This also works without LISTEN, for example behind a pooler.
 */
export interface ChangeEvents {
  /**
   * Publishes a change. Call it after the commit. Runs this process's listeners at once and those
   * of other processes within milliseconds. Never rejects. If the database is unreachable, the
   * event is sent later.
   */
  publish: PublishChanges;
  /**
   * Returns the version that a copy of the database needs to contain every change that this process
   * knows. Returns null while a change has no version yet.
   */
  knownVersion(): number | null;
  onChange(listener: (changes: Changes) => void): void;
  /** Called when sessions end or a user's role changes, in any process. */
  onSessionsEnded(listener: () => void): void;
  stop(): void;
}

const checkEveryMs = 1000;
/** While notifications arrive, the check only finds those that were lost. */
const checkHeardEveryMs = 3000;
/** Delay before the next check if the version is ahead of the events, which may still arrive. */
const checkAgainMs = 300;
const readVersion = "select version from change_version";
const sendEvent = `
  with bumped as (update change_version set version = version + 1 returning version)
  select version, pg_notify('${changeChannel}',
    json_build_object('from', $1::text, 'version', version, 'tags', $2::json)::text)
  from bumped`;

/** @param listenPool connections that receive notifications; null without any. */
export function createChangeEvents(
  pool: pg.Pool,
  logger: Logger,
  listenPool: pg.Pool | null = pool,
): ChangeEvents {
  const self = newToken(9);
  const changeListeners: ((changes: Changes) => void)[] = [];
  const sessionListeners: (() => void)[] = [];
  let isStopped = false;
  const content = createContentVersion();
  /** Number of events being sent to the database. */
  let sending = 0;
  /** True at the start, because a crashed process may have left a change without its event. */
  let hasUnsent = true;
  let timer: NodeJS.Timeout | null = null;

  const notify = (changes: Changes) => {
    for (const run of changeListeners) run(changes);
  };
  const notifySessions = () => {
    for (const run of sessionListeners) run();
  };

  async function send(changes: Changes): Promise<void> {
    const tags = changes === "everything" ? null : JSON.stringify([...changes]);
    sending += 1;
    try {
      content.noteSent(await queryVersion(pool, sendEvent, [self, tags]));
    } catch (error) {
      hasUnsent = true;
      throw error;
    } finally {
      sending -= 1;
    }
  }

  function receive(payload: string): void {
    const message = parseChangeMessage(payload);
    if (message === null) return notify("everything");
    const { from, version, tags } = message;
    const state = content.noteEvent(version);
    if (state === "missed") notify("everything");
    if (state === "new" && from !== self) notify(changesOf(tags ?? "everything"));
  }

  /** @param canLag true if events up to the version may still arrive. */
  async function check(connection: Connection, canLag: boolean): Promise<void> {
    if (hasUnsent) {
      hasUnsent = false;
      await send("everything");
    }
    const before = content.seen();
    const version = await queryVersion(connection, readVersion);
    if (!content.noteRead(version, { before, canLag })) notify("everything");
  }

  async function keepChecking(): Promise<void> {
    const heard = channelListener?.connection() ?? null;
    // Without notifications, this is the only way to notice ended sessions.
    if (heard === null) notifySessions();
    try {
      await check(heard ?? pool, heard !== null);
    } catch (error) {
      logger.debug({ err: error }, "couldn't read the content version");
      if (heard !== null && heard === channelListener?.connection()) channelListener.reconnect();
    }
    if (isStopped) return;
    const everyMs = heard === null || hasUnsent ? checkEveryMs : checkHeardEveryMs;
    const delayMs = content.isAwaiting() ? checkAgainMs : everyMs;
    timer = setTimeout(() => void keepChecking(), delayMs);
    timer.unref();
  }

  const channelListener =
    listenPool === null
      ? null
      : listenToChannel(listenPool, logger, {
          // Events sent while this process wasn't listening are lost.
          async onListening(connection) {
            await check(connection, false);
            notifySessions();
          },
          onMessage: (payload) =>
            payload === sessionsPayload ? notifySessions() : receive(payload),
        });
  void keepChecking();

  return {
    async publish(tags) {
      const changes = changesOf(tags);
      if (changes !== "everything" && changes.size === 0) return;
      const isSent = send(changes);
      notify(changes);
      try {
        await isSent;
      } catch (error) {
        warnLimited(
          logger,
          "unsent change event",
          { err: error },
          "a change event is waiting for the database",
        );
      }
    },
    knownVersion: () => (hasUnsent || sending > 0 ? null : content.known()),
    onChange(listen) {
      changeListeners.push(listen);
    },
    onSessionsEnded(listen) {
      sessionListeners.push(listen);
    },
    stop() {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
      channelListener?.stop();
    },
  };
}
