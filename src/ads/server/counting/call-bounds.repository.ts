import { sql } from "kysely";
import type { Trx } from "#server/db/connection.ts";

/** Call about an ad. */
interface BoundedCall {
  adId: string;
  event: string;
  visitorId: string;
  addressKey: string;
  addressGroup: string;
}

/**
 * Maximum number of calls that count per caller, ad and event in one window. The first call starts
 * the window.
 */
interface Bound {
  caller: (call: BoundedCall) => string;
  windowMs: number;
  max: number;
}

interface Window {
  adId: string;
  event: string;
  caller: string;
  sinceMs: number;
  counted: number;
}

/**
 * Bounds for calls without a serve token, per ad and event: one per visitor in 30 s, 30 a minute
 * per address.
 */
const unverifiedBounds: readonly Bound[] = [
  { caller: ({ visitorId }) => `visitor ${visitorId}`, windowMs: 30_000, max: 1 },
  { caller: ({ addressKey }) => `address ${addressKey}`, windowMs: 60_000, max: 30 },
];

/**
 * Bounds for verified events of one ad by one address group. A click costs more than an impression.
 */
const groupWindowMs = 10 * 60_000;
const groupMax = 300;
const groupMaxByEvent: Partial<Record<string, number>> = { click: 10, error: 60 };

const verifiedBounds = (event: string): readonly Bound[] => [
  {
    caller: ({ addressGroup }) => `group ${addressGroup}`,
    windowMs: groupWindowMs,
    max: groupMaxByEvent[event] ?? groupMax,
  },
];

/** Doubled, because the clocks of processes differ a little. */
const retentionMs = 2 * groupWindowMs;

/** Returns the calls without a serve token that count. */
export const takeUnverified = <C extends BoundedCall>(trx: Trx, calls: readonly C[], now: Date) =>
  takeBounded(trx, calls, () => unverifiedBounds, now);

/** Returns the calls with a serve token that count. */
export const takeVerified = <C extends BoundedCall>(trx: Trx, calls: readonly C[], now: Date) =>
  takeBounded(trx, calls, ({ event }) => verifiedBounds(event), now);

/**
 * Returns the calls within the bounds. The caller holds the locks of the ads, so that the bounds
 * hold across all processes.
 */
async function takeBounded<C extends BoundedCall>(
  trx: Trx,
  calls: readonly C[],
  boundsOf: (call: C) => readonly Bound[],
  now: Date,
): Promise<C[]> {
  if (calls.length === 0) return [];
  const wanted = new Map<string, Window>();
  const windowOf = ({ adId, event }: C, caller: string): Window => {
    const key = `${adId} ${event} ${caller}`;
    const known = wanted.get(key);
    if (known !== undefined) return known;
    const window = { adId, event, caller, sinceMs: -Infinity, counted: 0 };
    wanted.set(key, window);
    return window;
  };
  const pairs = calls.map((call) => ({
    call,
    bounded: boundsOf(call).map(({ caller, ...bound }) => ({
      window: windowOf(call, caller(call)),
      ...bound,
    })),
  }));
  await readWindows(trx, wanted);

  const nowMs = now.getTime();
  const changed = new Set<Window>();
  const counted = pairs.filter(({ bounded }) => {
    for (const { window, windowMs } of bounded) {
      if (nowMs - window.sinceMs >= windowMs) Object.assign(window, { sinceMs: nowMs, counted: 0 });
    }
    if (bounded.some(({ window, max }) => window.counted >= max)) return false;
    for (const { window } of bounded) {
      window.counted += 1;
      changed.add(window);
    }
    return true;
  });
  await writeWindows(trx, [...changed]);
  return counted.map(({ call }) => call);
}

const keysOf = (windows: readonly Window[]) => sql`
  unnest(
    ${windows.map(({ adId }) => adId)}::uuid[],
    ${windows.map(({ event }) => event)}::text[],
    ${windows.map(({ caller }) => caller)}::text[]`;

async function readWindows(trx: Trx, wanted: ReadonlyMap<string, Window>): Promise<void> {
  const { rows } = await sql<{
    ad_id: string;
    event: string;
    caller: string;
    since: Date;
    counted: number;
  }>`
    select c.* from ${keysOf([...wanted.values()])}) as given (ad_id, event, caller)
    join ad_unverified_calls c using (ad_id, event, caller)`.execute(trx);
  for (const { ad_id, event, caller, since, counted } of rows) {
    const window = wanted.get(`${ad_id} ${event} ${caller}`);
    if (window !== undefined) Object.assign(window, { sinceMs: since.getTime(), counted });
  }
}

async function writeWindows(trx: Trx, windows: readonly Window[]): Promise<void> {
  if (windows.length === 0) return;
  await sql`
    insert into ad_unverified_calls (ad_id, event, caller, since, counted)
    select * from ${keysOf(windows)},
      ${windows.map(({ sinceMs }) => new Date(sinceMs))}::timestamptz[],
      ${windows.map(({ counted }) => counted)}::int[])
    on conflict (ad_id, event, caller) do update set
      since = excluded.since, counted = excluded.counted`.execute(trx);
}

/** Deletes old windows. */
export async function deleteOldWindows(trx: Trx, now: Date): Promise<void> {
  const before = new Date(now.getTime() - retentionMs);
  await sql`delete from ad_unverified_calls where since < ${before}`.execute(trx);
}
