/**
 * Reads something once and keeps it until `clear` is called, because it may have changed. A failed
 * read isn't kept.
 */
export function createCachedRead<T>(read: () => Promise<T>) {
  let kept: Promise<T> | null = null;
  return {
    get(): Promise<T> {
      if (kept !== null) return kept;
      const reading = read();
      kept = reading;
      reading.catch(() => {
        if (kept === reading) kept = null;
      });
      return reading;
    },
    clear(): void {
      kept = null;
    },
  };
}
