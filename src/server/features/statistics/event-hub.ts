import type { AdminEvent } from "#contract/site/admin-events.ts";
import type { Db } from "#server/db/connection.ts";
import type { Logger } from "#server/lib/logger.ts";
import { listBulkStates, listVideoEvents } from "./statistics.repository.ts";

type Listener = (event: AdminEvent) => void;

const pollEveryMs = 1000;

/**
 * Polls the database once a second while there are listeners, and sends what has changed. All
 * processes share the database, so this covers the work of all of them.
 */
export function createEventHub(deps: { db: Db; logger: Logger }) {
  const { db, logger } = deps;
  const listeners = new Set<Listener>();
  let timer: NodeJS.Timeout | null = null;
  let isPolling = false;
  let isFirst = true;
  /** Unfinished videos and bulk states at the last poll, as text. */
  let videos = new Map<string, string>();
  let bulkStates = new Map<string, string>();

  const send = (event: AdminEvent) => {
    if (!isFirst) for (const listener of listeners) listener(event);
  };

  async function pollVideos(): Promise<void> {
    // Includes videos of the last poll, because the end of their processing is an event, too.
    const events = await listVideoEvents(db, [...videos.keys()]);
    const unfinished = new Map<string, string>();
    for (const event of new Map(events.map((item) => [item.id, item])).values()) {
      const text = JSON.stringify(event);
      if (videos.get(event.id) !== text) send(event);
      const isUnfinished =
        event.status === "processing" || (event.status === "ready" && (event.progress ?? 1) < 1);
      if (isUnfinished) unfinished.set(event.id, text);
    }
    videos = unfinished;
  }

  async function pollBulk(): Promise<void> {
    const states = await listBulkStates(db);
    for (const { id, state } of states) {
      if (bulkStates.get(id) !== state) send({ type: "bulk", id });
    }
    bulkStates = new Map(states.map(({ id, state }) => [id, state]));
  }

  async function poll(): Promise<void> {
    if (isPolling) return;
    isPolling = true;
    try {
      await pollVideos();
      await pollBulk();
      isFirst = false;
    } catch (error) {
      logger.debug({ err: error }, "couldn't read events of the back office");
    } finally {
      isPolling = false;
    }
  }

  function stop(): void {
    if (timer !== null) clearInterval(timer);
    timer = null;
    videos = new Map();
    bulkStates = new Map();
    isFirst = true;
  }

  return {
    /** Calls `listener` for every event from now on. @returns a function that unsubscribes. */
    subscribe(listener: Listener): () => void {
      listeners.add(listener);
      if (timer === null) {
        timer = setInterval(() => void poll(), pollEveryMs);
        timer.unref();
        void poll();
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stop();
      };
    },
    stop,
  };
}

export type EventHub = ReturnType<typeof createEventHub>;
