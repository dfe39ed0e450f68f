import { vi } from "vitest";
import type { RememberedUpload } from "./upload-memory.ts";

function succeed(result: unknown) {
  const request = Object.assign(new EventTarget(), { result });
  queueMicrotask(() => request.dispatchEvent(new Event("success")));
  return request;
}

/** Stands in for `indexedDB` with the database of unfinished uploads. */
export function fakeUploadDatabase(uploads: readonly RememberedUpload[] = []) {
  const stores = {
    uploads: new Map<string, unknown>(uploads.map((upload) => [upload.id, upload])),
    files: new Map<string, unknown>(),
  };
  const objectStore = (name: keyof typeof stores) => ({
    getAll: () => succeed([...stores[name].values()]),
    get: (id: string) => succeed(stores[name].get(id)),
    put: (value: { id: string }, id = value.id) => succeed(stores[name].set(id, value)),
    delete: (id: string) => succeed(stores[name].delete(id)),
  });
  return {
    stores,
    open: () =>
      succeed({ transaction: () => ({ objectStore }), addEventListener: () => undefined }),
    deleteDatabase: () => {
      for (const store of Object.values(stores)) store.clear();
      return succeed(undefined);
    },
  };
}

export const storedUpload = (values: Partial<RememberedUpload> = {}): RememberedUpload => ({
  id: "stored-upload",
  name: "evening.mp4",
  sizeBytes: 9 * 1024 * 1024,
  type: "video/mp4",
  thumbnail: null,
  durationS: null,
  form: { title: "", description: "", categories: "", tags: "", actors: "", isPremium: false },
  uploadUrl: null,
  isSubmitted: false,
  ...values,
});

/** Grants every lock at once. */
export function grantLocks(): void {
  const request: unknown = (_name: string, run: (lock: object) => unknown) =>
    Promise.resolve(run({}));
  vi.spyOn(navigator, "locks", "get").mockReturnValue({ request } as LockManager);
}
