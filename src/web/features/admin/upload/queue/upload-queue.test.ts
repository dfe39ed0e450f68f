import type { UploadOptions } from "tus-js-client";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import * as pageToken from "#web/lib/page-token.ts";
import { endSignIn } from "../../shared/session-renewal.ts";
import { fakeUploadDatabase, storedUpload } from "./upload-database.fixture.ts";
import { createUploadMemory, type RememberedUpload, type UploadMemory } from "./upload-memory.ts";
import { createUploadQueue } from "./upload-queue.ts";

vi.mock("../video-thumbnail.ts", () => ({
  createThumbnail: () => Promise.reject(new Error("no picture")),
}));

/** Functions that end the holder of each lock, as closing its tab does. */
let holders: Map<string, () => void>;

beforeEach(() => {
  holders = new Map();
  const held = new Map<string, Promise<void>>();
  const request = async (name: string, run: () => Promise<void>) => {
    const before = held.get(name);
    const { promise: closed, resolve: close } = Promise.withResolvers<void>();
    const turn = (before ?? Promise.resolve()).then(() => {
      holders.set(name, close);
      return Promise.race([run(), closed]);
    });
    held.set(name, turn);
    await turn;
  };
  vi.stubGlobal("navigator", { locks: { request } });
});

/** Storage that two tabs share. Removing takes a while. */
function createSharedMemory(): UploadMemory {
  const uploads = new Map<string, RememberedUpload>();
  return {
    list: async () => [...uploads.values()].map((upload) => ({ upload, file: null })),
    keepFile: async () => undefined,
    save: async (upload) => void uploads.set(upload.id, upload),
    remove: async (id) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      uploads.delete(id);
    },
  };
}

/** Returns the queues of two tabs, of which the first has an upload. */
async function openTwoTabs() {
  const memory = createSharedMemory();
  const [first, second] = [1, 2].map(() => createUploadQueue(memory, () => undefined));
  if (first === undefined || second === undefined) throw new Error("no queues");
  first.add([new File(["bytes"], "clip.mp4", { type: "video/mp4" })]);
  const [{ id } = { id: "" }] = first.items();
  await vi.waitFor(async () => expect(await memory.list()).toHaveLength(1));
  void second.restore();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(second.items()).toEqual([]);
  return { first, second, id };
}

it("continues an upload in another tab once its own tab is closed", async () => {
  const { second, id } = await openTwoTabs();
  holders.get(`kinora-upload-${id}`)?.();
  await vi.waitFor(() => expect(second.items()).toMatchObject([{ id, name: "clip.mp4" }]));
});

it("shows a removed upload in no other tab that waits for it", async () => {
  const { first, second, id } = await openTwoTabs();
  first.remove(id);
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(second.items()).toEqual([]);
});

it("restores only the uploads of the same user", async () => {
  vi.stubGlobal("indexedDB", fakeUploadDatabase());
  await createUploadMemory("ada").save(storedUpload());
  const listFor = (user: string) => createUploadMemory(user).list();
  expect(await listFor("ben")).toEqual([]);
  expect(await listFor("ada")).toEqual([{ upload: storedUpload(), file: null }]);
});

/** Responds to each form with this failure. Returns the function that is called for each. */
function refuseForms(status: number, code: string) {
  const send = vi.fn();
  class Rejected extends EventTarget {
    readonly upload = new EventTarget();
    readonly status = status;
    readonly responseText = JSON.stringify({ code });
    open(): void {}
    setRequestHeader(): void {}
    getResponseHeader = () => null;
    abort(): void {}
    send(): void {
      send();
      this.dispatchEvent(new Event("load"));
    }
  }
  vi.stubGlobal("XMLHttpRequest", Rejected);
  return send;
}

it("doesn't send a removed upload again after the user has signed in", async () => {
  const send = refuseForms(401, "unauthenticated");
  const queue = createUploadQueue(createSharedMemory(), () => undefined);
  queue.add([new File(["bytes"], "clip.mp4", { type: "video/mp4" })]);
  const [{ id } = { id: "" }] = queue.items();
  queue.submit(id);
  await vi.waitFor(() => expect(send).toHaveBeenCalledOnce());
  queue.remove(id);
  endSignIn(true);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(send).toHaveBeenCalledOnce();
});

/** Adds a large file, whose transfers end as given. */
function addLargeFile(end: (options: UploadOptions) => void) {
  /** URLs at which the transfers started. */
  const started: (string | null | undefined)[] = [];
  vi.doMock("tus-js-client", () => ({
    Upload: class {
      readonly url = "/api/uploads/one";
      readonly options: UploadOptions;
      constructor(_file: Blob, options: UploadOptions) {
        this.options = options;
      }
      start(): void {
        started.push(this.options.uploadUrl);
        this.options.onUploadUrlAvailable?.();
        this.options.onProgress?.(100, 200);
        end(this.options);
      }
    },
  }));
  onTestFinished(() => vi.doUnmock("tus-js-client"));
  const queue = createUploadQueue(createSharedMemory(), () => undefined);
  queue.add([new File([new Uint8Array(9 * 1024 * 1024)], "clip.mp4", { type: "video/mp4" })]);
  return { queue, started, submit: () => queue.submit(queue.items()[0]?.id ?? "") };
}

it("continues a failed upload at its URL", async () => {
  const failed = { transfer: "failed", uploadUrl: "/api/uploads/one", sentBytes: 100 };
  const { queue, started, submit } = addLargeFile(({ onError }) =>
    onError?.(Object.assign(new Error("failed"), { originalResponse: null })),
  );
  await vi.waitFor(() => expect(queue.items()).toMatchObject([failed]));
  submit();
  await vi.waitFor(() => expect(started).toEqual([null, "/api/uploads/one"]));
});

it("sends a file again whose upload has expired", async () => {
  refuseForms(404, "not_found");
  const { queue, started, submit } = addLargeFile(({ onSuccess }) =>
    onSuccess?.({ lastResponse: null as never }),
  );
  await vi.waitFor(() => expect(queue.items()).toMatchObject([{ transfer: "arrived" }]));
  submit();
  await vi.waitFor(() => expect(queue.items()).toMatchObject([{ phase: "editing", sentBytes: 0 }]));
  submit();
  await vi.waitFor(() => expect(started).toEqual([null, null]));
});

it("saves no upload after its removal, and goes on saving after a failure", async () => {
  const database = fakeUploadDatabase();
  vi.stubGlobal("indexedDB", database);
  const memory = createUploadMemory("user");
  const upload = storedUpload();
  const seal = vi.spyOn(pageToken, "sealOf");
  seal.mockImplementationOnce(() => new Promise((resolve) => setTimeout(resolve, 20, "late")));
  const saved = memory.save(upload);
  await memory.remove(upload.id);
  await saved;
  expect([...database.stores.uploads.keys()]).toEqual([]);
  seal.mockRejectedValueOnce(new Error("no cryptography"));
  await memory.save(upload).catch(() => undefined);
  await memory.save(upload);
  expect([...database.stores.uploads.keys()]).toEqual([upload.id]);
});
