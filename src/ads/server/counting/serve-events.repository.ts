import { sql } from "kysely";
import type { AdEvent } from "../../contract/ads.ts";
import type { Trx } from "#server/db/connection.ts";

export type CountedEvent = "impression" | "click" | AdEvent;

/** Event of an ad of one serve. */
interface ServeEvent {
  /** Signed 64-bit number in decimal. */
  serve: string;
  adId: string;
  event: CountedEvent;
  isRobot: boolean;
  /** Arrival time of the report. */
  atMs: number;
}

/** Event that must have been counted before; null for none. */
const needed: Record<CountedEvent, CountedEvent | null> = {
  impression: null,
  error: null,
  click: "impression",
  viewable: "impression",
  start: "impression",
  skip: "impression",
  firstQuartile: "start",
  midpoint: "firstQuartile",
  thirdQuartile: "midpoint",
  complete: "thirdQuartile",
};
/**
 * Minimum time between an impression and its viewable event, which equals the required time in
 * view.
 */
const viewableAfterMs = 1000;

const keyOf = (serve: string, adId: string, event: string) => `${serve} ${adId} ${event}`;
/** Stores bots' events under another name, to keep them apart from those of visitors. */
const storedName = (event: CountedEvent, isRobot: boolean) => (isRobot ? `robot ${event}` : event);

/**
 * Selects events that haven't been counted and whose preceding event has been. The caller holds the
 * locks of the ads. @param isVideo whether an ad plays a video. Only videos can complete.
 */
export async function selectFresh<E extends ServeEvent>(
  trx: Trx,
  events: readonly E[],
  isVideo: (adId: string) => boolean,
): Promise<E[]> {
  if (events.length === 0) return [];
  const { rows } = await sql<{ serve: string; ad_id: string; event: string; at: Date }>`
    select serve::text as serve, ad_id, event, at from ad_serve_events
    where (serve, ad_id) in (select * from unnest(
      ${events.map(({ serve }) => serve)}::bigint[],
      ${events.map(({ adId }) => adId)}::uuid[]))`.execute(trx);
  const countedAtMs = new Map(
    rows.map((row) => [keyOf(row.serve, row.ad_id, row.event), row.at.getTime()]),
  );
  return events.filter(({ serve, adId, event, isRobot, atMs }) => {
    const key = keyOf(serve, adId, storedName(event, isRobot));
    if (countedAtMs.has(key)) return false;
    const before = needed[event];
    if (before !== null) {
      const beforeMs = countedAtMs.get(keyOf(serve, adId, storedName(before, isRobot)));
      if (beforeMs === undefined) return false;
      if (event === "viewable" && atMs - beforeMs < viewableAfterMs) return false;
      if (event === "complete" && !isVideo(adId)) return false;
    }
    countedAtMs.set(key, atMs);
    return true;
  });
}

/**
 * Drops taken events whose preceding event was selected together with them but not taken.
 * @param selected result of `selectFresh`.
 */
export function dropUnfounded<E extends ServeEvent>(
  selected: readonly E[],
  taken: readonly E[],
): E[] {
  const kept = new Set(taken);
  const dropped = new Set<string>();
  for (const record of selected) {
    const { serve, adId, event } = record;
    const before = needed[event];
    const hasPredecessor = before === null || !dropped.has(keyOf(serve, adId, before));
    if (kept.has(record) && hasPredecessor) continue;
    kept.delete(record);
    dropped.add(keyOf(serve, adId, event));
  }
  return [...kept];
}

/** Stores counted events, for `selectFresh`. */
export async function insertServeEvents(trx: Trx, events: readonly ServeEvent[]): Promise<void> {
  if (events.length === 0) return;
  await sql`
    insert into ad_serve_events (serve, ad_id, event, at)
    select * from unnest(
      ${events.map(({ serve }) => serve)}::bigint[],
      ${events.map(({ adId }) => adId)}::uuid[],
      ${events.map(({ event, isRobot }) => storedName(event, isRobot))}::text[],
      ${events.map(({ atMs }) => new Date(atMs))}::timestamptz[]
    )
    order by 1, 2, 3
    on conflict do nothing`.execute(trx);
}
