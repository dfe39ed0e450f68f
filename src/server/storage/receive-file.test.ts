import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { formatMegabytes, receiveToFile } from "./receive-file.ts";
import { makeFolder } from "#test/shared.ts";

let root = "";
beforeEach(async () => {
  root = makeFolder("receive");
});

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test("writes a stream to a file", async () => {
  const bytes = randomBytes(300_001);
  const file = path.join(root, "f");
  const received = await receiveToFile(chunksOf(bytes, 65_536), file, { maxBytes: bytes.length });
  expect(received.sizeBytes).toBe(300_001);
  expect(await readFile(file)).toEqual(bytes);
});

test("refuses one byte too many as too_large and leaves nothing", async () => {
  const target = path.join(root, "f");
  const sending = receiveToFile(chunksOf(randomBytes(1001), 100), target, { maxBytes: 1000 });
  await expect(sending).rejects.toMatchObject({ code: "too_large" });
  expect(await readdir(root)).toEqual([]);
});

test("leaves nothing behind if the source fails or the transfer is aborted", async () => {
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

test("never overwrites an existing file", async () => {
  const target = path.join(root, "f");
  await receiveToFile(chunksOf(Buffer.from("first"), 2), target, { maxBytes: 10 });
  await expect(
    receiveToFile(chunksOf(Buffer.from("other"), 2), target, { maxBytes: 10 }),
  ).rejects.toMatchObject({ code: "EEXIST" });
  expect(await readFile(target, "utf8")).toBe("first");
});

test("formats the limit in rounded megabytes", () => {
  expect(formatMegabytes(524_288_000)).toBe("500 MB");
  expect(formatMegabytes(1_572_864)).toBe("1.5 MB");
});
