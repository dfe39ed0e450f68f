import { spawnSync } from "node:child_process";
import {
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { createLogger } from "#server/lib/logger.ts";
import { createLocalStorage } from "./local.storage.ts";
import type { OpenObject } from "./storage.ts";
import { makeFolder } from "#test/shared.ts";

let root = "";
let storage: ReturnType<typeof createLocalStorage>;

beforeEach(async () => {
  root = makeFolder("storage");
  storage = createLocalStorage({ root });
});

async function listKeys(prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.list(prefix)) keys.push(key);
  return keys.toSorted();
}

async function readText(
  { pieces, stat: { sizeBytes } }: OpenObject,
  range = { start: 0, end: sizeBytes - 1 },
): Promise<string> {
  let text = "";
  for await (const piece of pieces(range)) text += Buffer.from(piece).toString();
  return text;
}

test("reads stored objects, whole and in ranges", async () => {
  const stored = await storage.putBytes("a/b/clip.mp4", "0123456789");
  expect(stored).toMatchObject({ key: "a/b/clip.mp4", sizeBytes: 10, contentType: "video/mp4" });
  const object = await storage.openRead("a/b/clip.mp4");
  expect(object.stat).toEqual(stored);
  expect(await readText(object)).toBe("0123456789");
  expect(await readText(object, { start: 2, end: 4 })).toBe("234");
  await expect(readText(object, { start: 8, end: 99 })).rejects.toThrow("shorter");
  object.close();
  expect((await storage.readBytes("a/b/clip.mp4", 10)).toString()).toBe("0123456789");
  await expect(storage.readBytes("a/b/clip.mp4", 9)).rejects.toMatchObject({ code: "too_large" });
});

test("stores an empty object", async () => {
  await storage.putBytes("empty.vtt", "");
  const object = await storage.openRead("empty.vtt");
  expect(object.stat.sizeBytes).toBe(0);
  expect(await readText(object)).toBe("");
  object.close();
});

test("lets readers finish content that has been replaced", async () => {
  await storage.putBytes("k.json", "a".repeat(600_000));
  const old = await storage.openRead("k.json");
  const second = await storage.putBytes("k.json", "b".repeat(600_000));
  const current = await storage.openRead("k.json");
  expect(current.stat).toEqual(second);
  expect(await readText(current)).toBe("b".repeat(600_000));
  expect(await readText(old)).toBe("a".repeat(600_000));
  current.close();
  old.close();
});

test("doesn't reopen a deleted object, even if it was open moments ago", async () => {
  for (const key of ["one/file", "folder/file"]) {
    await storage.putBytes(key, "x");
    (await storage.openRead(key)).close();
  }
  await storage.delete("one/file");
  await storage.deletePrefix("folder/");
  await expect(storage.openRead("one/file")).rejects.toMatchObject({ code: "not_found" });
  await expect(storage.openRead("folder/file")).rejects.toMatchObject({ code: "not_found" });
});

test("doesn't treat a folder as an object", async () => {
  await storage.putBytes("folder/file", "x");
  await expect(storage.openRead("folder")).rejects.toMatchObject({ code: "not_found" });
});

test("copies a local file, or moves it on request, and leaves no temporary file", async () => {
  const local = path.join(root, "local.bin");
  await writeFile(local, "bytes", { mode: 0o600 });
  await storage.putFile("x/copied", local);
  expect(await readFile(local, "utf8")).toBe("bytes");
  await storage.putFile("x/moved", local, { consume: true });
  await expect(stat(local)).rejects.toMatchObject({ code: "ENOENT" });
  expect(await listKeys("x/")).toEqual(["x/copied", "x/moved"]);
  // A proxy that runs as another user must be able to read it.
  expect((await stat(storage.localPath("x/moved"))).mode & 0o777).toBe(0o644);
  const [own] = await readdir(path.join(root, "scratch"));
  expect(await readdir(path.join(root, "scratch", own ?? ""))).toEqual([]);
});

test("reports unknown keys as not_found when reading, but not when deleting", async () => {
  expect(await storage.findStat("no/such")).toBeNull();
  await expect(storage.getStat("no/such")).rejects.toMatchObject({ code: "not_found" });
  await expect(storage.openRead("no/such")).rejects.toMatchObject({ code: "not_found" });
  await expect(storage.withLocalFile("no/such", async () => 1)).rejects.toMatchObject({
    code: "not_found",
  });
  await storage.delete("no/such");
  await storage.deletePrefix("no/");
  expect(await listKeys("no/")).toEqual([]);
});

test.each([
  ...["../etc/passwd", "a/../../b", "/etc/passwd", "a//b", "a/", "", ".", "..", ".hidden"],
  ...["a/.b", "a\\b", "a\0b", "a b", "ä", "a/./b", `a/${"x".repeat(130)}`, "x/".repeat(300) + "x"],
])("refuses key %j in every call", async (key) => {
  const refusal = { code: "internal" };
  await expect(storage.putBytes(key, "x")).rejects.toMatchObject(refusal);
  await expect(storage.findStat(key)).rejects.toMatchObject(refusal);
  await expect(storage.openRead(key)).rejects.toMatchObject(refusal);
  await expect(storage.delete(key)).rejects.toMatchObject(refusal);
  await expect(storage.deletePrefix(`${key}/`)).rejects.toMatchObject(refusal);
  expect(() => storage.localPath(key)).toThrow();
});

test("deletes exactly the given folder", async () => {
  for (const key of ["v/1/a.mp4", "v/1/hls/b.mp4", "v/10/a.mp4", "v/2/a.mp4"]) {
    await storage.putBytes(key, key);
  }
  await storage.deletePrefix("v/1/");
  expect(await listKeys("")).toEqual(["v/10/a.mp4", "v/2/a.mp4"]);
  await expect(storage.deletePrefix("v")).rejects.toMatchObject({ code: "internal" });
  await expect(storage.deletePrefix("")).rejects.toMatchObject({ code: "internal" });
  await storage.delete("v/2/a.mp4");
  // Empty folders are removed, so that deleted videos leave nothing to list.
  expect(await readdir(path.join(root, "objects", "v"))).toEqual(["10"]);
});

test("ignores files and folders of other programs", async () => {
  const folder = path.join(root, "objects", "v", "1");
  await storage.putBytes("v/1/a.mp4", "x");
  await mkdir(path.join(folder, "@eaDir"));
  for (const name of [".DS_Store", "._a.mp4", ".nfs0001", "a copy.mp4", "@eaDir/a.mp4"]) {
    await writeFile(path.join(folder, name), "x");
  }
  expect(await listKeys("")).toEqual(["v/1/a.mp4"]);
  await storage.delete("v/1/a.mp4");
  expect(await listKeys("")).toEqual([]);
  await storage.deletePrefix("v/1/");
  expect(await readdir(path.join(root, "objects", "v"))).toEqual([]);
});

test("keeps the originals' folder private after its last file is deleted", async () => {
  const folder = path.join(root, "objects", "sources");
  await storage.putBytes("sources/only", "x");
  const { ino } = await stat(folder);
  await storage.delete("sources/only");
  await storage.putBytes("sources/next", "x");
  const after = await stat(folder);
  expect([after.ino, after.mode & 0o777]).toEqual([ino, 0o700]);
});

test("loses no put when puts and deletions run concurrently in one folder", async () => {
  const put = async (i: number): Promise<void> => {
    await storage.putBytes(`busy/${i}`, "x");
  };
  const remove = async (i: number): Promise<void> => {
    await storage.putBytes(`busy/temp-${i}`, "x");
    await storage.delete(`busy/temp-${i}`);
  };
  await Promise.all(Array.from({ length: 40 }, (_, i) => Promise.all([put(i), remove(i)])));
  expect(await listKeys("busy/")).toHaveLength(40);
});

test.each([
  ["replaces the time of a file older than an hour", 2 * 3600, 0],
  ["keeps the time of a younger file", 60, 60],
])("%s", async (_name, ageS, storedAgeS) => {
  const local = path.join(root, "local");
  await writeFile(local, "waited");
  const nowS = Math.floor(Date.now() / 1000);
  await utimes(local, nowS - ageS, nowS - ageS);
  const { modifiedAt } = await storage.putFile("sources/waited", local, { consume: true });
  const storedS = modifiedAt.getTime() / 1000;
  expect(storedS).toBeGreaterThanOrEqual(nowS - storedAgeS);
  expect(storedS).toBeLessThan(nowS - storedAgeS + 50);
});

test("stores a file that its owner may only read", async () => {
  // Modes don't stop root, so another user stores the file.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  const folder = await mkdtemp(path.join(tmpdir(), "kinora-read-only-"));
  try {
    const original = path.join(folder, "original");
    await writeFile(original, "original", { mode: 0o444 });
    await utimes(original, 1, 1);
    await expect(open(original, "r+")).rejects.toMatchObject({ code: "EACCES" });
    const own = createLocalStorage({ root: path.join(folder, "storage") });
    await own.putFile("sources/original", original, { consume: true });
    expect((await own.readBytes("sources/original", 100)).toString()).toBe("original");
    expect((await stat(own.localPath("sources/original"))).mode & 0o777).toBe(0o600);
  } finally {
    if (isRoot) process.seteuid?.(0);
    await rm(folder, { recursive: true });
  }
});

test("shares the content of two equal objects, and keeps one when the other is deleted", async () => {
  await storage.putBytes("sources/first", "source");
  await storage.withLocalFile("sources/first", (file) =>
    storage.putFile("sources/second", file, { share: true }),
  );
  const inodeOf = (key: string) =>
    storage.withLocalFile(key, async (file) => (await stat(file)).ino);
  expect(await inodeOf("sources/second")).toBe(await inodeOf("sources/first"));
  await storage.delete("sources/first");
  expect((await storage.readBytes("sources/second", 100)).toString()).toBe("source");
});

test("returns the object's own path to tools", async () => {
  await storage.putBytes("s/source.mp4", "source");
  const seen = await storage.withLocalFile("s/source.mp4", (file) => readFile(file, "utf8"));
  expect(seen).toBe("source");
});

test("creates a private scratch folder and removes it when its user ends", async () => {
  let seen = "";
  {
    await using scratch = await storage.createScratch();
    seen = scratch.path;
    expect((await stat(seen)).mode & 0o777).toBe(0o700);
    await writeFile(path.join(seen, "f"), "x");
    expect(await storage.sweepScratch(createLogger("silent"))).toBe(0);
    expect(await readFile(path.join(seen, "f"), "utf8")).toBe("x");
  }
  await expect(stat(seen)).rejects.toMatchObject({ code: "ENOENT" });
});

test("reports free bytes, and whether it is reachable, without writing", async () => {
  expect(await storage.findFreeBytes()).toBeGreaterThan(0);
  const objects = path.join(root, "objects");
  const { mtimeMs } = await stat(objects);
  await storage.checkHealth();
  expect((await stat(objects)).mtimeMs).toBe(mtimeMs);
  // The same state as after unmounting a disk.
  await rename(objects, `${objects}-away`);
  await expect(storage.checkHealth()).rejects.toMatchObject({ code: "ENOENT" });
  await rename(`${objects}-away`, objects);
});

const canMount = process.getuid?.() === 0;
test.skipIf(!canMount)("reports a full disk as unhealthy", async () => {
  const disk = await mkdtemp(path.join(tmpdir(), "kinora-full-"));
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", disk]);
  expect(status).toBe(0);
  try {
    const small = createLocalStorage({ root: disk });
    await small.putBytes("public/a", "x");
    await small.checkHealth();
    await writeFile(path.join(disk, "filler"), Buffer.alloc(2 ** 20)).catch(() => undefined);
    await expect(small.checkHealth()).rejects.toThrow("The disk of DATA_DIR is full.");
  } finally {
    spawnSync("umount", [disk]);
    await rm(disk, { recursive: true });
  }
});
