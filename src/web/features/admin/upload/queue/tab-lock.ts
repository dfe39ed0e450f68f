/**
 * Locks an upload for one tab, so that no second tab sends it too. Resolves with a function that
 * releases the lock, or with null if another tab holds it.
 */
export function lockUpload(id: string): Promise<(() => void) | null> {
  // Locks only exist on HTTPS and on localhost. Elsewhere, two tabs may send the same upload.
  if (!("locks" in navigator)) return Promise.resolve(() => undefined);
  return new Promise((resolve) => {
    void navigator.locks.request(`kinora-upload-${id}`, { ifAvailable: true }, (lock) => {
      if (lock === null) {
        resolve(null);
        return undefined;
      }
      return new Promise<void>((release) => resolve(() => release()));
    });
  });
}
