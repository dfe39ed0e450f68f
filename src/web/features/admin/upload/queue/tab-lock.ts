/**
 * Locks an upload for one tab, so that a second tab that remembers it doesn't send it too.
 * Resolves with a function that releases it, or null if another tab has it.
 */
export function lockUpload(id: string): Promise<(() => void) | null> {
  // Locks exist only over https and on localhost; elsewhere two tabs may send the same upload.
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
