import { z } from "zod";

const rememberedUpload = z.object({
  id: z.string(),
  name: z.string(),
  sizeBytes: z.number(),
  type: z.string(),
  still: z.instanceof(Blob).nullable(),
  durationS: z.number().nullable(),
  form: z.object({
    title: z.string(),
    description: z.string(),
    categories: z.string(),
    tags: z.string(),
    actors: z.string(),
    isPremium: z.boolean(),
  }),
  uploadUrl: z.string().nullable(),
  /** The person has pressed "Upload Video": it goes on to the end by itself. */
  isSubmitted: z.boolean(),
});

/** What a reload must not cost: the form, and where the bytes lie on the server. */
export type RememberedUpload = z.infer<typeof rememberedUpload>;

export interface UploadMemory {
  /** With the file where the browser had room for it. */
  list(): Promise<{ upload: RememberedUpload; file: Blob | null }[]>;
  /** Once: it is copied. */
  keepFile(id: string, file: Blob): Promise<void>;
  save(upload: RememberedUpload): Promise<void>;
  forget(id: string): Promise<void>;
}

type StoreName = "uploads" | "files";

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("Storage failed")));
  });
}

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open("kinora-uploads", 1);
  request.addEventListener("upgradeneeded", () => {
    request.result.createObjectStore("uploads" satisfies StoreName, { keyPath: "id" });
    request.result.createObjectStore("files" satisfies StoreName);
  });
  return done(request);
}

/** Browsers may have storage off, or full: an upload then works, but a reload ends it. */
export function createUploadMemory(): UploadMemory {
  let opening: Promise<IDBDatabase> | undefined;

  async function use<T>(
    name: StoreName,
    mode: IDBTransactionMode,
    run: (store: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T | null> {
    try {
      opening ??= openDatabase();
      return await done(run((await opening).transaction(name, mode).objectStore(name)));
    } catch (error) {
      console.warn("What is uploaded could not be remembered", error);
      return null;
    }
  }

  return {
    async list() {
      const found = await use<unknown[]>("uploads", "readonly", (store) => store.getAll());
      const list: { upload: RememberedUpload; file: Blob | null }[] = [];
      for (const value of found ?? []) {
        const read = rememberedUpload.safeParse(value);
        if (!read.success) continue;
        const file = await use<unknown>("files", "readonly", (store) => store.get(read.data.id));
        list.push({ upload: read.data, file: file instanceof Blob ? file : null });
      }
      return list;
    },
    async keepFile(id, file) {
      await use("files", "readwrite", (store) => store.put(file, id));
    },
    async save(upload) {
      await use("uploads", "readwrite", (store) => store.put(upload));
    },
    async forget(id) {
      await use("uploads", "readwrite", (store) => store.delete(id));
      await use("files", "readwrite", (store) => store.delete(id));
    },
  };
}
