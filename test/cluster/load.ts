import { setTimeout as wait } from "node:timers/promises";

/** Result of one call. */
export interface Outcome {
  kind: string;
  startedAt: number;
  endedAt: number;
  /** HTTP status. 0 without a response. */
  status: number;
  hasRetryAfter: boolean;
  /** Description of the call, with the error if it failed. */
  detail: string;
}

/** Parts of a response that are checked. */
interface Received {
  status: number;
  body: Buffer;
  headers: Record<string, string | string[] | undefined>;
}

/** Repeats `once` until it is stopped. */
export type Client = (
  call: <R extends Received>(address: string, run: () => Promise<R>) => Promise<R | null>,
) => Promise<void>;

interface Load {
  outcomes: readonly Outcome[];
  /** Resolves when each kind of call has succeeded this often from now on. */
  waitForSuccesses(count: number, timeoutMs: number): Promise<void>;
  stop(): Promise<void>;
}

/** Runs clients in parallel. The keys of `kinds` describe what they do. */
export function startLoad(kinds: Record<string, Client[]>, pauseMs: number): Load {
  const outcomes: Outcome[] = [];
  const stopping = new AbortController();

  async function run(kind: string, client: Client): Promise<void> {
    while (!stopping.signal.aborted) {
      await client(async (address, send) => {
        const startedAt = performance.now();
        const record = (status: number, hasRetryAfter: boolean, said: string) => {
          const detail = `${address} ${said}`.trimEnd();
          const endedAt = performance.now();
          outcomes.push({ kind, startedAt, endedAt, status, hasRetryAfter, detail });
        };
        try {
          const received = await send();
          const { status, headers, body } = received;
          const said = status < 400 ? "" : body.toString("utf8", 0, 200);
          record(status, headers["retry-after"] !== undefined, said);
          return received;
        } catch (error) {
          record(0, false, error instanceof Error ? error.message : String(error));
          return null;
        }
      });
      await wait(pauseMs);
    }
  }
  const running = Promise.all(
    Object.entries(kinds).flatMap(([kind, clients]) => clients.map((client) => run(kind, client))),
  );

  return {
    outcomes,
    async waitForSuccesses(count, timeoutMs) {
      const from = performance.now();
      const isEnough = (kind: string) =>
        outcomes.filter(
          (each) =>
            each.kind === kind && each.startedAt > from && each.status >= 200 && each.status < 400,
        ).length >= count;
      for (;;) {
        const missing = Object.keys(kinds).filter((kind) => !isEnough(kind));
        if (missing.length === 0) return;
        if (performance.now() - from > timeoutMs) {
          const last = outcomes.filter(({ kind }) => missing.includes(kind)).slice(-5);
          throw new Error(`not recovered: ${missing.join(", ")}: ${JSON.stringify(last)}`);
        }
        await wait(50);
      }
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Disruption of the cluster. */
export interface Incident {
  name: string;
  startedAt: number;
  /** Requests that began before this time may have been cut off. */
  cutAt: number;
  /** Time at which everything had recovered. */
  endedAt: number;
  /** True if it ends processes with client connections. */
  cutsRequests: boolean;
  /** True if calls may be refused meanwhile. */
  refuses: boolean;
}

/**
 * Returns failures that no incident explains, because the calls were neither in flight when a
 * process died nor refused during an incident.
 */
export function findUnexplained(outcomes: readonly Outcome[], incidents: readonly Incident[]) {
  return outcomes.filter((outcome) => {
    const { status, hasRetryAfter, startedAt, endedAt } = outcome;
    if (status >= 200 && status < 400) return false;
    const during = incidents.filter(
      (incident) => startedAt <= incident.endedAt && endedAt >= incident.startedAt,
    );
    if (status === 503 && hasRetryAfter) return !during.some(({ refuses }) => refuses);
    const isCut = status === 0 || status === 502;
    return !(isCut && during.some((each) => each.cutsRequests && startedAt <= each.cutAt));
  });
}
