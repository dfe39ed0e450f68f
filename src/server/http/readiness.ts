import { warnLimited, type Logger } from "#server/lib/logger.ts";

/**
 * Checks that must pass before a process gets work. A check fails if it rejects or resolves to
 * false.
 */
type ReadinessChecks = Record<string, () => Promise<unknown>>;

type CheckState = "ok" | "failing";

export interface Readiness {
  status: CheckState | "stopping";
  checks?: Record<string, CheckState>;
}

const timeoutMs = 3000;
/** Time for which calls share one check. Anyone may call it, so it must stay cheap. */
const freshMs = 1000;

/**
 * @param isDraining returns whether this process is about to stop and should get no more work.
 * @param onDoubt receives a function that makes the next call check again.
 */
export function createReadiness(
  checks: ReadinessChecks,
  isDraining: () => boolean,
  logger: Logger,
  onDoubt: (expire: () => void) => void = () => undefined,
): () => Promise<Readiness> {
  let latest: { staleAt: number; states: Promise<Record<string, CheckState>> } | null = null;

  onDoubt(() => {
    latest = null;
  });

  async function runCheck(name: string, check: () => Promise<unknown>): Promise<CheckState> {
    const timeout = new Promise<never>((_resolve, reject) => {
      setTimeout(() => reject(new Error("no response in time")), timeoutMs).unref();
    });
    try {
      return (await Promise.race([check(), timeout])) === false ? "failing" : "ok";
    } catch (error) {
      warnLimited(logger, `check of ${name}`, { err: error, check: name }, "not ready");
      return "failing";
    }
  }

  async function runChecks(): Promise<Record<string, CheckState>> {
    const states = Object.entries(checks).map(
      async ([name, check]) => [name, await runCheck(name, check)] as const,
    );
    return Object.fromEntries(await Promise.all(states));
  }

  return async () => {
    if (isDraining()) return { status: "stopping" };
    const now = performance.now();
    if (latest === null || now >= latest.staleAt) {
      latest = { staleAt: now + freshMs, states: runChecks() };
    }
    const states = await latest.states;
    const isReady = Object.values(states).every((state) => state === "ok");
    return { status: isReady ? "ok" : "failing", checks: states };
  };
}
