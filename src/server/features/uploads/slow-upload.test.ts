import { createTestCore } from "#test/http-core.ts";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setInterval as every } from "node:timers/promises";
import { afterAll, expect, inject, it, vi } from "vitest";
import { openConnection } from "#test/raw-request.ts";
import { newToken } from "#server/lib/ids.ts";
import { createLocalStorage } from "#server/storage/local.storage.ts";
import { registerMultipartUploadRoutes } from "./multipart-upload.routes.ts";

const closes: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closes) await close();
});

/** Starts a form upload with short timeouts. */
async function start(times: { minBytesPerWindow: number; uploadTotalMs: number }) {
  const root = join(inject("testFolder"), newToken(6));
  const core = createTestCore({
    bodyTimes: {
      totalMs: 100,
      windowMs: 200,
      ...times,
    },
  });
  const person = { id: "1", email: "a@example.test", name: "A", role: "ADMIN" } as const;
  const user = {
    ...person,
    isOwner: true,
    sessionId: "1",
    isConfirmed: true,
    mustAddFactor: false,
    scopes: null,
    isOutsideBackOffice: false,
  };
  core.app.decorateRequest("user", null);
  core.app.addHook("onRequest", async (request) => {
    request.user = user;
  });
  const ingest = vi.fn();
  registerMultipartUploadRoutes(core.app, {
    config: { maxUploadBytes: 1e9 },
    storage: createLocalStorage({ root }),
    ingest: { ingest, replace: vi.fn() },
    videos: { getId: vi.fn() },
    staged: { take: vi.fn() },
  });
  closes.push(() => core.app.close());
  return { url: await core.app.listen({ port: 0, host: "127.0.0.1" }), root, ingest };
}

/**
 * Sends the start of a form, then `bytes` of the file every 20 ms until the server stops accepting
 * them.
 */
async function drip(url: string, bytes: number): Promise<string> {
  const { socket, received } = openConnection(url);
  socket.write(
    "POST /api/videos HTTP/1.1\r\nhost: x\r\ncontent-length: 100000000\r\n" +
      "content-type: multipart/form-data; boundary=b\r\n\r\n" +
      '--b\r\ncontent-disposition: form-data; name="video"; filename="a.mp4"\r\n\r\n',
  );
  const stop = new AbortController();
  void received.then(() => stop.abort());
  try {
    for await (const _ of every(20, null, { signal: stop.signal })) socket.write("x".repeat(bytes));
  } catch {
    // The server has closed the connection.
  }
  return received;
}

async function listFiles(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

it("aborts a form whose file is slower than the minimum rate and leaves nothing behind", async () => {
  const { url, root, ingest } = await start({ minBytesPerWindow: 5000, uploadTotalMs: 60_000 });
  const response = await drip(url, 10);
  expect(response).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"timeout"/);
  expect(ingest).not.toHaveBeenCalled();
  await expect.poll(() => listFiles(root)).toEqual([]);
});

it("aborts a form that keeps the rate but exceeds the time limit for uploads", async () => {
  const { url, root, ingest } = await start({ minBytesPerWindow: 1, uploadTotalMs: 500 });
  const response = await drip(url, 1000);
  expect(response).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"timeout"/);
  expect(ingest).not.toHaveBeenCalled();
  await expect.poll(() => listFiles(root)).toEqual([]);
});

it("deletes the received file if the form is refused", async () => {
  const { url, root, ingest } = await start({ minBytesPerWindow: 1, uploadTotalMs: 60_000 });
  const form = new FormData();
  form.set("video", new Blob(["x".repeat(1_000_000)]), "a.mp4");
  form.set("title", "x".repeat(200_000));
  const refused = await fetch(`${url}/api/videos`, { method: "POST", body: form });
  expect(refused.status).toBe(400);
  expect(ingest).not.toHaveBeenCalled();
  await expect.poll(() => listFiles(root)).toEqual([]);
});
