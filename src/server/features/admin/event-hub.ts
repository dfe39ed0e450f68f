import { sql } from "kysely";
import type { Db } from "../../db/connection.ts";
import type { Logger } from "../../lib/logger.ts";

/** What happens to videos in work and to bulk actions; the same words as the browser reads. */
export type AdminEvent =
  | {
      type: "video";
      id: string;
      status: "processing" | "ready" | "failed";
      progress: number | null;
      failureReason: string | null;
      isPublished: boolean;
      thumbnail: string | null;
      version: number;
    }
  | { type: "bulk"; id: string };

export interface EventHub {
  /** Calls `listener` for everything that happens from now on. Returns how to stop that. */
  follow(listener: (event: AdminEvent) => void): () => void;
  stop(): void;
}

type VideoEvent = Extract<AdminEvent, { type: "video" }>;

const everyMs = 1000;
const mostInWork = 200;

/**
 * Looks once a second at what is in work, wherever it is worked on, while somebody listens. The
 * database is the one thing that all processes share, and this is one small indexed query.
 */
export function createEventHub(deps: { db: Db; logger: Logger }): EventHub {
  const { db, logger } = deps;
  const listeners = new Set<(event: AdminEvent) => void>();
  let timer: NodeJS.Timeout | null = null;
  let known = new Map<string, string>();
  let bulkSeen = new Map<string, string>();
  let isLooking = false;
  let isFirst = true;

  const tell = (event: AdminEvent) => {
    for (const listener of listeners) listener(event);
  };

  async function readVideos(leftIds: string[]): Promise<VideoEvent[]> {
    const { rows } = await sql<Omit<VideoEvent, "type" | "thumbnail"> & { key: string | null }>`
      select id, status, progress, failure_reason as "failureReason",
        is_published as "isPublished", thumbnail_key as key, version
      from videos where id = any(${leftIds}::uuid[])
      union all
      (select id, status, progress, failure_reason, is_published, thumbnail_key, version
      from videos where status = 'processing' or (status = 'ready' and progress < 1)
      order by created_at, id limit ${mostInWork})`.execute(db);
    return rows.map(({ key, ...row }) => ({
      type: "video",
      ...row,
      thumbnail: key === null ? null : `/media/${key}`,
    }));
  }

  async function lookAtVideos(): Promise<void> {
    // Those that were in work a moment ago and may have left it: their end is news too.
    const events = await readVideos([...known.keys()]);
    const byId = new Map(events.map((event) => [event.id, event]));
    const next = new Map<string, string>();
    for (const [id, event] of byId) {
      const text = JSON.stringify(event);
      if (!isFirst && known.get(id) !== text) tell(event);
      const isInWork =
        event.status === "processing" || (event.status === "ready" && (event.progress ?? 1) < 1);
      if (isInWork) next.set(id, text);
    }
    known = next;
  }

  async function lookAtBulk(): Promise<void> {
    const { rows } = await sql<{ id: string; text: string }>`
      select id, concat(state, done) as text from bulk_jobs
      order by created_at desc, id desc limit 10`.execute(db);
    for (const { id, text } of rows) {
      if (!isFirst && bulkSeen.get(id) !== text) tell({ type: "bulk", id });
    }
    bulkSeen = new Map(rows.map(({ id, text }) => [id, text]));
  }

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    try {
      await lookAtVideos();
      await lookAtBulk();
      isFirst = false;
    } catch (error) {
      logger.debug({ err: error }, "the back office could not be told what happens");
    } finally {
      isLooking = false;
    }
  }

  function rest(): void {
    if (timer !== null) clearInterval(timer);
    timer = null;
    known = new Map();
    bulkSeen = new Map();
    isFirst = true;
  }

  return {
    follow(listener) {
      listeners.add(listener);
      if (timer === null) {
        timer = setInterval(() => void look(), everyMs);
        timer.unref();
        void look();
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) rest();
      };
    },
    stop: rest,
  };
}
