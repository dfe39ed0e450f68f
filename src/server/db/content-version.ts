/** Versions of the content, see `ChangeEvents`. */
export function createContentVersion() {
  let seen: number | null = null;
  /** Version of this process's newest event. */
  let sent = 0;
  let awaited: number | null = null;

  function catchUp(version: number): void {
    seen = version;
    sent = Math.min(sent, version);
    awaited = null;
  }

  return {
    /**
     * Returns the version up to which this process knows all changes, or null if it doesn't know
     * the version yet.
     */
    seen: (): number | null => seen,
    /** Returns the newest version that this process knows, including its own events. */
    known: (): number | null => (seen === null ? null : Math.max(seen, sent)),
    /** Returns whether a version was read before its event arrived. */
    isAwaiting: (): boolean => awaited !== null,

    /** Records an event that this process sent. */
    noteSent(version: number): void {
      sent = Math.max(sent, version);
      // This process's listeners have already run.
      if (seen !== null && version === seen + 1) seen = version;
    },

    /** Records a received event. `missed` means that earlier events were lost. */
    noteEvent(version: number): "known" | "new" | "missed" {
      if (seen === null || version <= seen) return "known";
      if (version === seen + 1) {
        seen = version;
        return "new";
      }
      catchUp(version);
      return "missed";
    },

    /**
     * Records the version in the database.
     * @param before value of `seen` before the version was read.
     * @param canLag true if events up to the version may still arrive.
     * @returns false if this process has missed events.
     */
    noteRead(
      version: number,
      { before, canLag }: { before: number | null; canLag: boolean },
    ): boolean {
      // A lower version comes from a restored backup.
      const isRestored = before !== null && version < before;
      if (seen !== null && !isRestored) {
        if (version <= seen) {
          awaited = null;
          return true;
        }
        if (canLag && (awaited === null || awaited <= seen)) {
          awaited = version;
          return true;
        }
      }
      catchUp(version);
      return false;
    },
  };
}
