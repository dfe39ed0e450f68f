import type { FastifyRequest } from "fastify";
import type { Db } from "#server/db/connection.ts";
import type { Visitors } from "#server/http/access/visitors.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import { warnLimited, type Logger } from "#server/lib/logger.ts";
import { addCounter, type Metrics } from "#server/lib/metrics/metrics.ts";
import { addMediaBytes, readMediaBytes } from "./media-bytes.repository.ts";

/** An hour is counted in slots of five minutes. The oldest slot ends when the next one begins. */
const slotMs = 5 * 60_000;
const slotsPerHour = 12;
/** Time after which this process counts what other processes sent. */
const shareMs = 1000;
/** Maximum number of address groups in memory. Beyond it, the longest unused ones are read again. */
const maxGroups = 50_000;

/** Bytes by slot. */
type Slots = Map<number, number>;

interface Group {
  /** Sent by all processes, as far as they wrote it to the database. */
  shared: Slots;
  /** Sent by this process since its last write. */
  own: Slots;
  /** Being written to the database. */
  written: Slots;
  readAtMs: number;
  reading: Promise<void> | null;
}

const sum = (slots: Slots, firstSlot: number): number => {
  let bytes = 0;
  for (const [slot, each] of slots) if (slot >= firstSlot) bytes += each;
  return bytes;
};

/** Counts the bytes of one response. */
interface CountedResponse {
  /**
   * Counts bytes that are about to be sent. Of an aborted response, that is at most one piece too
   * much. @returns false if the address group has used up its budget.
   */
  count(bytes: number): boolean;
}

/**
 * Counts media bytes for the metrics, and limits how many an address group may receive in an hour.
 * All processes share the counts through the database, at most a second late.
 * @param findLimit returns the maximum number of bytes, or null without a limit.
 */
export function createMediaBudget(deps: {
  db: Db;
  visitors: Visitors;
  clock: Clock;
  metrics: Metrics;
  logger: Logger;
  findLimit: () => Promise<number | null>;
}) {
  const { db, visitors, clock, metrics, logger, findLimit } = deps;
  const answers = ["sent", "budget", "hotlink"] as const;
  const counter = addCounter(
    metrics,
    "kinora_media_bytes_total",
    "Media bytes sent, refused because of the hourly budget, and refused to pages of other sites.",
    answers.map((answer) => ({ answer })),
  );

  const groups = new Map<string, Group>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const slotOf = (nowMs: number) => Math.floor(nowMs / slotMs);
  const firstSlot = () => slotOf(clock.now()) - slotsPerHour + 1;

  function groupOf(key: string): Group {
    const found = groups.get(key);
    if (found !== undefined) return found;
    if (groups.size >= maxGroups) {
      const unused = groups.entries().find(([, each]) => each.own.size + each.written.size === 0);
      if (unused !== undefined) groups.delete(unused[0]);
    }
    const group: Group = {
      ...{ shared: new Map(), own: new Map(), written: new Map() },
      readAtMs: -Infinity,
      reading: null,
    };
    groups.set(key, group);
    return group;
  }

  async function read(keys: readonly string[]): Promise<void> {
    const rows = await readMediaBytes(db, keys, firstSlot());
    const readAtMs = performance.now();
    for (const key of keys) {
      const group = groupOf(key);
      group.shared = new Map();
      group.readAtMs = readAtMs;
    }
    for (const { group, slot, bytes } of rows) groupOf(group).shared.set(slot, bytes);
  }

  /** Nobody is refused because the database doesn't respond. */
  const warn = (err: unknown) =>
    warnLimited(logger, "media bytes", { err }, "couldn't share the count of media bytes");

  async function readFresh(key: string): Promise<Group> {
    const group = groupOf(key);
    if (performance.now() - group.readAtMs >= shareMs) {
      group.reading ??= read([key])
        .catch(warn)
        .finally(() => {
          group.reading = null;
        });
      await group.reading;
    }
    return group;
  }

  async function write(): Promise<void> {
    const changed = [...groups].filter(([, { own }]) => own.size > 0);
    if (changed.length === 0) return;
    for (const [, group] of changed) [group.written, group.own] = [group.own, new Map()];
    const added = changed.flatMap(([group, { written }]) =>
      [...written].map(([slot, bytes]) => ({ group, slot, bytes })),
    );
    try {
      await addMediaBytes(db, added);
      for (const [, group] of changed) {
        for (const [slot, bytes] of group.written) addTo(group.shared, slot, bytes);
        group.written = new Map();
      }
      await read(changed.map(([key]) => key));
    } catch (error) {
      warn(error);
      for (const [, group] of changed) {
        for (const [slot, bytes] of group.written) addTo(group.own, slot, bytes);
        group.written = new Map();
      }
      flushSoon();
    }
  }

  /** Writes what this process has sent so far, one batch at a time. */
  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write);
    return writing;
  }

  function flushSoon(): void {
    timer ??= setTimeout(() => void flush(), shareMs).unref();
  }

  const addTo = (slots: Slots, slot: number, bytes: number) =>
    void slots.set(slot, (slots.get(slot) ?? 0) + bytes);

  function add(key: string, bytes: number): Group {
    const group = groupOf(key);
    addTo(group.own, slotOf(clock.now()), bytes);
    flushSoon();
    return group;
  }

  function usedBytes({ shared, own, written }: Group): number {
    const first = firstSlot();
    return sum(shared, first) + sum(own, first) + sum(written, first);
  }

  /** Returns the seconds until enough slots are over that less than the limit is left. */
  function waitS(group: Group, limit: number): number {
    const nowMs = clock.now();
    const first = firstSlot();
    let left = usedBytes(group);
    for (let slot = first; slot < first + slotsPerHour; slot += 1) {
      for (const slots of [group.shared, group.own, group.written]) left -= slots.get(slot) ?? 0;
      if (left < limit) return ((slot + slotsPerHour) * slotMs - nowMs) / 1000;
    }
    return slotMs / 1000;
  }

  return {
    /**
     * Starts counting a response. Users with a session have no budget.
     * @param body its length, and false for files that are sent even if the budget is used up.
     * @throws AppError rate_limited with the time until the group may continue.
     */
    async begin(
      request: FastifyRequest,
      { length, isLimited }: { length: number; isLimited: boolean },
    ): Promise<CountedResponse> {
      const limit = isLimited && request.user === null ? await findLimit() : null;
      const countSent = (sent: number) => counter.inc({ answer: "sent" }, sent);
      if (limit === null) {
        return {
          count(sent) {
            countSent(sent);
            return true;
          },
        };
      }
      const key = visitors.addressGroupKey(request);
      const group = await readFresh(key);
      if (usedBytes(group) >= limit) {
        counter.inc({ answer: "budget" }, length);
        throw new AppError(
          "rate_limited",
          "This connection has watched a lot this hour. Try again later.",
          {
            retryAfterS: waitS(group, limit),
          },
        );
      }
      return {
        count(sent) {
          countSent(sent);
          return usedBytes(add(key, sent)) - sent < limit;
        },
      };
    },

    /** Counts a file that a page of another site asked for in vain. */
    refuseHotlink: (bytes: number) => counter.inc({ answer: "hotlink" }, bytes),

    flush,
  };
}

export type MediaBudget = ReturnType<typeof createMediaBudget>;
