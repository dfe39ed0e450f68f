import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { newToken } from "#server/lib/ids.ts";
import { warnLimited } from "#server/lib/limited-log.ts";
import type { Logger } from "#server/lib/logger.ts";
import { changesOf, parseChangeMessage, type Changes, type PublishChanges } from "./change-tags.ts";

const channel = "kinora_changed";

/** Payload of the event sent by a database trigger. */
const sessionsPayload = "sessions";

/**
 * Events that notify every process on this database of changed public data and ended sessions.
 *
 * Each event increments the version in the table `change_version` and contains it, so a process
 * notices missed events: by a gap, or because the version in the database, which it reads every
 * `checkEveryMs`, stays ahead of the events. It then reports `everything`. This also works without
 * LISTEN, as behind a pooler.
 */
export interface ChangeEvents {
  /**
   * Publishes a change. Call it after the commit. Runs this process's listeners at once and those
   * of other processes within milliseconds. Never rejects: while the database is unreachable, the
   * event waits.
   */
  publish: PublishChanges;
  /**
   * Returns the version that a copy of the database must have to contain every change known to this
   * process; null while a change has no version yet.
   */
  knownVersion(): number | null;
  onChange(listener: (changes: Changes) => void): void;
  /** Called when sessions ended or a user's role changed, in any process. */
  onSessionsEnded(listener: () => void): void;
  stop(): void;
}

/** Time before listening again after the connection was lost. */
const reconnectMs = 1000;
const checkEveryMs = 1000;
/** Time until the next check if the version is ahead of the events, which may still arrive. */
const checkAgainMs = 300;
/** Maximum response time, after which a connection counts as lost. */
const responseTimeoutMs = 1500;

const readVersion = "select version from change_version";
const sendEvent = `
  with bumped as (update change_version set version = version + 1 returning version)
  select version, pg_notify('${channel}',
    json_build_object('from', $1::text, 'version', version, 'tags', $2::json)::text)
  from bumped`;

type Connection = Pick<pg.PoolClient, "query">;

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
  /** Version up to which this process knows all changes. */
  let seen: number | null = null;
  /** Version of this process's newest event. */
  let sent = 0;
  /** Number of events being sent to the database. */
  let sending = 0;
  /** Version read before its event arrived. */
  let awaited: number | null = null;
  /** True at the start, because a crashed process may have left a change without its event. */
  let hasUnsent = true;
  /** Listening connection, once established. */
  let listener: pg.PoolClient | null = null;
  /** Closes the listening connection. */
  let lose: () => void = () => undefined;
  let timer: NodeJS.Timeout | null = null;

  const notify = (changes: Changes) => {
    for (const run of changeListeners) run(changes);
  };

  function markMissed(version: number): void {
    seen = version;
    sent = Math.min(sent, version);
    awaited = null;
    notify("everything");
  }

  /** Returns the version selected by a statement. */
  async function query(connection: Connection, text: string, values: unknown[] = []) {
    const config = { text, values, query_timeout: responseTimeoutMs };
    const { rows } = await connection.query<{ version: number }>(config);
    return rows[0]?.version ?? 0;
  }

  async function send(changes: Changes): Promise<void> {
    const tags = changes === "everything" ? null : JSON.stringify([...changes]);
    sending += 1;
    try {
      const version = await query(pool, sendEvent, [self, tags]);
      sent = Math.max(sent, version);
      // This process's listeners have already run.
      if (seen !== null && version === seen + 1) seen = version;
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
    if (seen === null || version <= seen) return;
    if (version > seen + 1) return markMissed(version);
    seen = version;
    if (from !== self) notify(changesOf(tags ?? "everything"));
  }

  /** @param canLag true if events up to the version may still arrive. */
  async function check(connection: Connection, canLag: boolean): Promise<void> {
    if (hasUnsent) {
      hasUnsent = false;
      await send("everything");
    }
    const before = seen;
    const version = await query(connection, readVersion);
    // A lower version comes from a restored backup.
    if (seen === null || (before !== null && version < before)) markMissed(version);
    else if (version <= seen) awaited = null;
    else if (!canLag || (awaited !== null && awaited > seen)) markMissed(version);
    else awaited = version;
  }

  async function keepChecking(): Promise<void> {
    const heard = listener;
    // Without notifications, nothing else reports ended sessions.
    if (heard === null) for (const run of sessionListeners) run();
    try {
      await check(heard ?? pool, heard !== null);
    } catch (error) {
      logger.debug({ err: error }, "couldn't read the content version");
      if (heard !== null && heard === listener) lose();
    }
    if (isStopped) return;
    timer = setTimeout(() => void keepChecking(), awaited === null ? checkEveryMs : checkAgainMs);
    timer.unref();
  }

  /** Listens until the connection is lost. */
  async function listen(listeners: pg.Pool): Promise<void> {
    const connection = await listeners.connect();
    const lost = new Promise<void>((resolve) => {
      lose = resolve;
      connection.on("error", () => resolve());
      connection.on("end", () => resolve());
    });
    connection.on("notification", ({ payload = "" }) => {
      if (payload === sessionsPayload) for (const run of sessionListeners) run();
      else receive(payload);
    });
    try {
      await query(connection, `listen ${channel}`);
      // Events sent while this process wasn't listening are lost.
      await check(connection, false);
      for (const run of sessionListeners) run();
      listener = connection;
      if (!isStopped) await lost;
    } finally {
      listener = null;
      connection.release(true);
    }
  }

  async function keepListening(listeners: pg.Pool): Promise<void> {
    while (!isStopped) {
      try {
        await listen(listeners);
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

  if (listenPool !== null) void keepListening(listenPool);
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
    knownVersion: () => (seen === null || hasUnsent || sending > 0 ? null : Math.max(seen, sent)),
    onChange(listen) {
      changeListeners.push(listen);
    },
    onSessionsEnded(listen) {
      sessionListeners.push(listen);
    },
    stop() {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
      lose();
    },
  };
}
