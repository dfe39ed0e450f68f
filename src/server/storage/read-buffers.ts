/**
 * Buffers for reading files, used again and again: they stay in the processor's cache and cost the
 * collector nothing. Readers beyond the pool's size get small buffers of their own.
 */
export function createReadBuffers(options: { bytes: number; count: number; smallBytes: number }): {
  /** @param wanted bytes that are still to be read. */
  take(wanted: number): { bytes: Uint8Array; giveBack(isFree: boolean): void };
} {
  const free: Uint8Array[] = [];
  let taken = 0;
  return {
    take(wanted) {
      if (wanted <= options.smallBytes || taken >= options.count) {
        const bytes = Buffer.allocUnsafeSlow(Math.min(wanted, options.smallBytes));
        return { bytes, giveBack: () => undefined };
      }
      const whole = free.pop() ?? Buffer.allocUnsafeSlow(options.bytes);
      taken += 1;
      return {
        bytes: whole.subarray(0, wanted),
        giveBack(isFree) {
          taken -= 1;
          if (isFree) free.push(whole);
        },
      };
    },
  };
}
