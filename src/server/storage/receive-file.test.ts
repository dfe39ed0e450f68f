import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLocalStorage } from "./local.storage.ts";
import { formatMegabytes, receiveToFile, streamToStorage } from "./receive-file.ts";

let root = "";
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "kinora-receive-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test("a stream becomes a file, with its digest", async () => {
  const bytes = randomBytes(300_001);
  const seen: number[] = [];
  const received = await receiveToFile(chunksOf(bytes, 65_536), path.join(root, "f"), {
    maxBytes: bytes.length,
    sha256: true,
    onBytes: (count) => seen.push(count),
  });
  expect(received.sizeBytes).toBe(300_001);
  expect(received.sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
  expect(await readFile(received.path)).toEqual(bytes);
  expect(seen.at(-1)).toBe(300_001);
});

test("one byte too many is too_large and leaves nothing", async () => {
  const target = path.join(root, "f");
  const sending = receiveToFile(chunksOf(randomBytes(1001), 100), target, { maxBytes: 1000 });
  await expect(sending).rejects.toMatchObject({ code: "too_large" });
  expect(await readdir(root)).toEqual([]);
});

test("a source that breaks off, and an abort, leave nothing", async () => {
  async function* broken(): AsyncGenerator<Buffer> {
    yield Buffer.from("half");
    throw new Error("connection lost");
  }
  const target = path.join(root, "f");
  await expect(receiveToFile(broken(), target, { maxBytes: 10 })).rejects.toThrow(
    "connection lost",
  );
  const abort = new AbortController();
  async function* slow(): AsyncGenerator<Buffer> {
    yield Buffer.from("a");
    abort.abort(new Error("gone"));
    yield Buffer.from("b");
  }
  await expect(
    receiveToFile(slow(), target, { maxBytes: 10, signal: abort.signal }),
  ).rejects.toThrow("gone");
  expect(await readdir(root)).toEqual([]);
});

test("an existing file is never overwritten", async () => {
  const target = path.join(root, "f");
  await receiveToFile(chunksOf(Buffer.from("first"), 2), target, { maxBytes: 10 });
  await expect(
    receiveToFile(chunksOf(Buffer.from("other"), 2), target, { maxBytes: 10 }),
  ).rejects.toMatchObject({ code: "EEXIST" });
  expect(await readFile(target, "utf8")).toBe("first");
});

test("a stream becomes an object, or nothing", async () => {
  const storage = createLocalStorage({ root });
  const stored = await streamToStorage(storage, "in/a.mp4", chunksOf(Buffer.from("abc"), 1), {
    maxBytes: 3,
  });
  expect(stored).toMatchObject({ key: "in/a.mp4", sizeBytes: 3, sha256: null });
  await expect(
    streamToStorage(storage, "in/b.mp4", chunksOf(Buffer.from("abcd"), 1), { maxBytes: 3 }),
  ).rejects.toMatchObject({ code: "too_large" });
  expect(await storage.findStat("in/b.mp4")).toBeNull();
});

test("the limit is named in round megabytes", () => {
  expect(formatMegabytes(524_288_000)).toBe("500 MB");
  expect(formatMegabytes(1_572_864)).toBe("1.5 MB");
});
