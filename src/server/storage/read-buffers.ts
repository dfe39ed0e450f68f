/**
 * Time after which an unused buffer is dropped, so that a burst doesn't raise memory permanently.
 */
const idleMs = 10_000;

/**
 * Reuses buffers for reading files. Reused buffers stay in the processor's cache and create no
 * garbage. When the pool is exhausted, readers get small buffers.
 */
export function createReadBuffers(options: {
  bytes: number;
  count: number;
  smallBytes: number;
  now?: () => number;
}): {
  /** @param wanted number of bytes that still have to be read. */
  take(wanted: number): { bytes: Uint8Array; giveBack(isFree: boolean): void };
} {
  const { now = Date.now } = options;
  /** Free buffers. The most recently used one is last and taken first. */
  const free: { whole: Uint8Array; sinceMs: number }[] = [];
  let taken = 0;

  function keep(whole: Uint8Array): void {
    const sinceMs = now();
    free.push({ whole, sinceMs });
    while (free[0] !== undefined && free[0].sinceMs < sinceMs - idleMs) free.shift();
  }

  return {
    take(wanted) {
      if (wanted <= options.smallBytes || taken >= options.count) {
        const bytes = Buffer.allocUnsafeSlow(Math.min(wanted, options.smallBytes));
        return { bytes, giveBack: () => undefined };
      }
      const whole = free.pop()?.whole ?? Buffer.allocUnsafeSlow(options.bytes);
      taken += 1;
      return {
        bytes: whole.subarray(0, wanted),
        giveBack(isFree) {
          taken -= 1;
          if (isFree) keep(whole);
        },
      };
    },
  };
}
