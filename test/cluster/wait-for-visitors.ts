import { expect, vi } from "vitest";

/**
 * Waits until a web node receives visitors' likes again. For some seconds after its return, a proxy
 * still skips it.
 */
export async function waitForVisitors(metricsUrl: string): Promise<void> {
  const before = await countLikes(metricsUrl);
  await vi.waitFor(async () => expect(await countLikes(metricsUrl)).toBeGreaterThan(before), {
    timeout: 60_000,
    interval: 100,
  });
}

/** Reads the number of likes that the current process has counted. */
async function countLikes(metricsUrl: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  const counts = text.matchAll(
    /^kinora_http_request_duration_seconds_count\{[^}]*\/like"[^}]*\} (\d+)$/gm,
  );
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}
