import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";

const windowMs = 60_000;
const maxKeys = 50_000;

/**
 * Counts in memory, per process. That is enough to prevent others from using this process to flood
 * other servers.
 */
export function createCallLimiter(perMinute: number, clock: Clock) {
  let counts = new Map<string, number>();
  let startedAt = clock.now();

  return {
    /** @throws AppError rate_limited. */
    take(key: string): void {
      const now = clock.now();
      if (now - startedAt >= windowMs || counts.size > maxKeys) {
        counts = new Map();
        startedAt = now;
      }
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      if (count > perMinute) {
        const retryAfterS = Math.max(1, (startedAt + windowMs - now) / 1000);
        throw new AppError("rate_limited", "Too many requests. Try again in a minute.", {
          retryAfterS,
        });
      }
    },
  };
}

/** Limiter of calls per key and minute. */
export type CallLimiter = ReturnType<typeof createCallLimiter>;
