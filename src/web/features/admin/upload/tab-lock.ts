/**
 * An upload belongs to one window: a second one that remembers it too must not send it as well.
 * Resolves with a function that gives it up, or null where another window has it.
 */
export function lockUpload(id: string): Promise<(() => void) | null> {
  // Only there over https and on localhost; elsewhere two windows are the lesser evil.
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
