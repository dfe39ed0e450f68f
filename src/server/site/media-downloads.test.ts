import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdir, readlink } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { useTestApp } from "#test/app.ts";

const bytes = randomBytes(12 * 1024 * 1024);
const key = "public/downloads/file.mp4";
let sockets: Socket[] = [];

const app = useTestApp();
beforeAll(async () => {
  await app.context.storage.putBytes(key, bytes);
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
});

/** Opens connections that request the file but read it only on demand. */
async function ask(times = 1): Promise<Socket> {
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  await once(socket, "connect");
  socket.write(`GET /media/${key} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(times));
  await once(socket, "readable");
  return socket;
}

async function fetchRange(start: number, end: number, signal?: AbortSignal): Promise<boolean> {
  const headers = { range: `bytes=${start}-${end}` };
  const response = await fetch(`${app.url}/media/${key}`, { headers, signal });
  const body = Buffer.from(await response.arrayBuffer());
  return body.equals(bytes.subarray(start, end + 1));
}

async function countOpen(): Promise<number> {
  const targets = (await readdir("/proc/self/fd")).map((fd) =>
    readlink(`/proc/self/fd/${fd}`).catch(() => ""),
  );
  return (await Promise.all(targets)).filter((target) => target.includes(key)).length;
}

function measureBuffers(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().arrayBuffers;
}

it("buffers little for clients that read nothing and continues to serve the others", async () => {
  const before = measureBuffers();
  const slow = await Promise.all(Array.from({ length: 80 }, () => ask()));
  // Waits until the system's buffers are full.
  await wait(500);
  // The pool has 16 MiB. Each client has 64 KiB on this side and twice that on its own side.
  await vi.waitFor(() => expect(measureBuffers() - before).toBeLessThan(40 * 1024 * 1024), {
    timeout: 10_000,
    interval: 500,
  });
  expect(await fetchRange(5_000_000, 9_000_000)).toBe(true);

  const [first] = slow;
  const received: Buffer[] = [];
  let length = 0;
  first?.on("data", (chunk: Buffer) => {
    received.push(chunk);
    length += chunk.length;
  });
  await expect.poll(() => length).toBeGreaterThan(bytes.length);
  expect(Buffer.concat(received).subarray(-bytes.length).equals(bytes)).toBe(true);
});

it("never mixes up downloads, even if some of them are broken off", async () => {
  const downloads = Array.from({ length: 60 }, async (_, n) => {
    const start = n * 140_001;
    const broken = n % 3 === 0 ? AbortSignal.timeout(n) : undefined;
    return fetchRange(start, start + 1_200_000, broken).catch(() => broken?.aborted === true);
  });
  expect(await Promise.all(downloads)).toEqual(downloads.map(() => true));
});

it.runIf(process.platform === "linux")(
  "closes a reader's file when it is gone, even behind an earlier response",
  async () => {
    await Promise.all(Array.from({ length: 20 }, () => ask(3)));
    await app.context.storage.delete(key);
    // The file of an aborted download may still be closing.
    await expect.poll(countOpen).toBe(60);
    expect((await fetch(`${app.url}/media/${key}`)).status).toBe(404);
    for (const socket of sockets) socket.destroy();
    await expect.poll(countOpen).toBe(0);
  },
);
