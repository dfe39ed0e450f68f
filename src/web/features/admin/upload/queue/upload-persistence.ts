import type { ItemStore } from "./item-store.ts";
import { lockUpload } from "./tab-lock.ts";
import type { RememberedUpload, UploadMemory } from "./upload-memory.ts";
import { itemOf, rememberedOf } from "./upload-records.ts";

/** Milliseconds without input until a form is saved. */
const saveAfterMs = 400;

/**
 * Saves the uploads of this tab, so that a reload can continue them. Locks keep other tabs away.
 */
export function createUploadPersistence(store: ItemStore, memory: UploadMemory) {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const locks = new Map<string, () => void>();

  async function takeOver(upload: RememberedUpload, file: Blob | null): Promise<void> {
    const release = await lockUpload(upload.id);
    // Another tab continues this upload.
    if (release === null || store.find(upload.id) !== undefined) return;
    locks.set(upload.id, release);
    store.add([itemOf(upload, file)]);
  }

  return {
    /** Saves an upload soon. */
    save(id: string): void {
      clearTimeout(timers.get(id));
      timers.set(
        id,
        setTimeout(() => {
          timers.delete(id);
          const item = store.find(id);
          if (item !== undefined) void memory.save(rememberedOf(item));
        }, saveAfterMs),
      );
    },

    /** Saves the file of a new upload, if there is one, and locks the upload for this tab. */
    claim(id: string, file: Blob | null): void {
      if (file !== null) void memory.keepFile(id, file);
      void lockUpload(id).then((release) => {
        if (release !== null) locks.set(id, release);
      });
    },

    keepFile: (id: string, file: Blob): void => void memory.keepFile(id, file),

    forget(id: string): void {
      clearTimeout(timers.get(id));
      timers.delete(id);
      locks.get(id)?.();
      locks.delete(id);
      void memory.remove(id);
    },

    /** Adds the stored uploads that no other tab continues. */
    async restore(): Promise<void> {
      for (const { upload, file } of await memory.list()) await takeOver(upload, file);
    },
  };
}
