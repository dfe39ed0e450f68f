import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { readConfig, type S3Config } from "#server/config.ts";
import { createLogger } from "#server/lib/logger.ts";
import { createScratchArea } from "#server/storage/scratch-area.ts";
import { abortOldUploads } from "#server/storage/s3/list-bucket.ts";
import { openBucket } from "#server/storage/s3/s3-client.ts";
import { explainS3Error } from "#server/storage/s3/s3-errors.ts";
import { createS3Storage, type S3Storage } from "#server/storage/s3/s3.storage.ts";
import { startObjectStore, type ObjectStore } from "../harness/object-store.ts";

let engine: ObjectStore;
let folder: string;
let storage: S3Storage;
beforeAll(async () => {
  engine = await startObjectStore();
  folder = await mkdtemp(join(tmpdir(), "kinora-s3-"));
});
afterAll(async () => {
  await engine.stop();
  await rm(folder, { recursive: true, force: true });
});

function configOf(change: Record<string, string>): S3Config {
  const { s3: config } = readConfig({ ...engine.env, ...change });
  if (config === null) throw new Error("no S3 variables");
  return config;
}
const open = (change: Record<string, string>): S3Storage =>
  createS3Storage({
    config: configOf(change),
    scratch: createScratchArea(join(folder, "scratch")),
  });

let count = 0;
beforeEach(() => {
  count += 1;
  storage = open({ S3_PREFIX: `test-${count}` });
});

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
/** Slightly more than two parts. */
const large = randomBytes(33 * 1024 * 1024);

async function read(key: string, range?: { start: number; end: number }): Promise<Buffer> {
  const object = await storage.openRead(key);
  const all = { start: 0, end: object.stat.sizeBytes - 1 };
  const pieces: Uint8Array[] = [];
  for await (const piece of object.pieces(range ?? all)) pieces.push(Buffer.from(piece));
  object.close();
  return Buffer.concat(pieces);
}
async function listKeys(prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.list(prefix)) keys.push(key);
  return keys.toSorted();
}

test("reads stored objects, whole and in ranges", async () => {
  const stored = await storage.putBytes("v/a/clip.mp4", "0123456789");
  expect(stored).toMatchObject({ key: "v/a/clip.mp4", sizeBytes: 10, contentType: "video/mp4" });
  expect((await read("v/a/clip.mp4")).toString()).toBe("0123456789");
  expect((await read("v/a/clip.mp4", { start: 2, end: 4 })).toString()).toBe("234");
  await storage.putBytes("empty.vtt", "");
  expect(await read("empty.vtt")).toHaveLength(0);
  await expect(storage.readBytes("v/a/clip.mp4", 9)).rejects.toMatchObject({ code: "too_large" });
  expect(await storage.findStat("v/a/other.mp4")).toBeNull();
  await expect(storage.openRead("v/a/other.mp4")).rejects.toMatchObject({ code: "not_found" });
  await storage.delete("v/a/other.mp4");
});

test("uploads a large file in parts, and removes a tool's local copy", async () => {
  const path = join(folder, "large");
  await writeFile(path, large);
  const stored = await storage.putFile("v/a/large.mp4", path, { consume: true });
  expect(stored.sizeBytes).toBe(large.length);
  expect(await readdir(folder)).not.toContain("large");
  expect(sha256(await read("v/a/large.mp4"))).toBe(sha256(large));
  const middle = { start: 16_700_000, end: 16_900_000 };
  expect((await read("v/a/large.mp4", middle)).equals(large.subarray(16_700_000, 16_900_001))).toBe(
    true,
  );
  let localPath = "";
  const hash = await storage.withLocalFile("v/a/large.mp4", async (given) => {
    localPath = given;
    return sha256(await readFile(given));
  });
  expect(hash).toBe(sha256(large));
  await expect(readdir(join(localPath, ".."))).rejects.toThrow("ENOENT");
});

test("lists and deletes folders, and never lists the id of the storage", async () => {
  expect(await storage.readId()).toBeNull();
  await storage.writeId("an-id");
  expect(await storage.readId()).toBe("an-id");
  const names = Array.from({ length: 12 }, (_, n) => `v/a/${n}.m4s`);
  await Promise.all(names.map((key) => storage.putBytes(key, key)));
  await storage.putBytes("v/ab/other.m4s", "other");
  expect(await listKeys("")).toEqual([...names, "v/ab/other.m4s"].toSorted());
  await storage.deletePrefix("v/a/");
  expect(await listKeys("v/")).toEqual(["v/ab/other.m4s"]);
  await storage.delete("v/ab/other.m4s");
  expect(await listKeys("")).toEqual([]);
  await storage.checkHealth();
});

test("keeps objects private, and opens one for a while by a signed address", async () => {
  await storage.putBytes("v/a/clip.mp4", "0123456789");
  const url = await storage.signUrl("v/a/clip.mp4", 600);
  expect(await storage.signUrl("v/a/clip.mp4", 600)).toBe(url);
  const part = await fetch(url, { headers: { range: "bytes=2-4" } });
  expect([part.status, await part.text()]).toEqual([206, "234"]);
  expect(part.headers.get("content-type")).toBe("video/mp4");
  const { origin, pathname } = new URL(url);
  expect((await fetch(origin + pathname)).status).toBeGreaterThanOrEqual(400);
  expect((await fetch(url.replace("clip.mp4", "other.mp4"))).status).toBe(403);
});

test("copies inside the bucket, including multipart objects", async () => {
  const path = join(folder, "copied");
  await writeFile(path, large);
  await storage.putFile("v/a/large.mp4", path);
  await storage.copy("v/a/large.mp4", "published/v/a/large.mp4");
  expect(sha256(await storage.readBytes("published/v/a/large.mp4", 1e9))).toBe(sha256(large));
  expect(await listKeys("")).toEqual(["v/a/large.mp4"]);
});

test("finds and deletes parts of abandoned uploads", async () => {
  const uploadId = await storage.beginParts("sources/old");
  const upload = { key: "sources/old", uploadId };
  const part = await storage.storePart(upload, 1, large.subarray(0, 6_000_000));
  await storage.sweepScratch(createLogger("silent"));
  await expect(storage.completeParts(upload, [{ ...part, etag: '"0"' }])).rejects.toThrow();
  const bucket = openBucket(configOf({ S3_PREFIX: `test-${count}` }));
  expect(await abortOldUploads(bucket, new Date(Date.now() + 60_000))).toBe(1);
  await expect(storage.completeParts(upload, [part])).rejects.toMatchObject({ code: "not_found" });
});

const wrong: [string, () => Record<string, string>, RegExp][] = [
  [
    "an unknown bucket",
    () => ({ S3_BUCKET: "absent" }),
    /^S3_BUCKET: .* has no bucket "absent"\. Create it\.$/,
  ],
  ["an unknown key", () => ({ S3_ACCESS_KEY_ID: "x:y" }), /^S3_SECRET_ACCESS_KEY: .* rejects/],
  ["a wrong secret", () => ({ S3_SECRET_ACCESS_KEY: "no" }), /^S3_SECRET_ACCESS_KEY: .* rejects/],
  [
    "a wrong region",
    () => ({ S3_REGION: "eu-west-9" }),
    /^S3_REGION: "eu-west-9" isn't the region/,
  ],
  [
    "nothing listens",
    () => ({ S3_ENDPOINT: "http://127.0.0.1:1" }),
    /^S3_ENDPOINT: no object storage responds at http:\/\/127\.0\.0\.1:1 \(ECONNREFUSED\)/,
  ],
];
test.each(wrong)("explains an invalid configuration in one line: %s", async (_, change, line) => {
  const error: unknown = await open(change())
    .readId()
    .catch((cause: unknown) => explainS3Error(cause, configOf(change())));
  expect(error).toBeInstanceOf(Error);
  expect(String(error instanceof Error ? error.message : error)).toMatch(line);
});

test("fails every call as unavailable while the storage is unreachable, then continues", async () => {
  await storage.putBytes("v/a/clip.mp4", "0123456789");
  const fresh = open({ S3_PREFIX: `test-${count}` });
  await engine.goAway();
  const away = { code: "unavailable", retryAfterS: 5 };
  await expect(fresh.findStat("v/a/clip.mp4")).rejects.toMatchObject(away);
  await expect(fresh.putBytes("v/a/b.mp4", "x")).rejects.toMatchObject(away);
  await expect(fresh.checkHealth()).rejects.toThrow();
  await engine.comeBack();
  expect((await fresh.getStat("v/a/clip.mp4")).sizeBytes).toBe(10);
});
