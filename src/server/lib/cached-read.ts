/** Caches the result of a read until `clear` is called. Failed reads aren't cached. */
export function createCachedRead<T>(read: () => Promise<T>) {
  let cached: Promise<T> | null = null;
  return {
    get(): Promise<T> {
      if (cached !== null) return cached;
      const reading = read();
      cached = reading;
      reading.catch(() => {
        if (cached === reading) cached = null;
      });
      return reading;
    },
    clear(): void {
      cached = null;
    },
  };
}
