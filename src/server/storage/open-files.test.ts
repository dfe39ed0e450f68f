import { mkdtemp, readdir, readlink, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createOpenFiles } from "./open-files.ts";

let root = "";
const pathOf = (key: string) => path.join(root, key);

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "kinora-open-"));
  for (const key of ["a", "b", "c"]) await writeFile(pathOf(key), key.repeat(10));
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Returns the names of the test's files that this process has open. */
async function listOpen(): Promise<string[]> {
  const names: string[] = [];
  for (const fd of await readdir("/proc/self/fd")) {
    const target = await readlink(`/proc/self/fd/${fd}`).catch(() => "");
    if (target.startsWith(root)) names.push(path.basename(target));
  }
  return names.toSorted();
}
async function expectOpen(names: string[]): Promise<void> {
  await expect.poll(listOpen).toEqual(names);
}

it("opens a file once for all its readers and closes it after some time", async () => {
  const files = createOpenFiles({ pathOf, keepMs: 100, maxKept: 10 });
  const readers = await Promise.all(Array.from({ length: 20 }, () => files.acquire("a")));
  expect(await listOpen()).toEqual(["a"]);
  for (const reader of readers) reader.release();
  await expectOpen([]);
});

it("keeps a file open as long as a reader uses it", async () => {
  const files = createOpenFiles({ pathOf, keepMs: 5, maxKept: 10 });
  const reader = await files.acquire("a");
  await wait(50);
  const bytes = Buffer.alloc(10);
  expect(await reader.read(bytes, 0)).toBe(10);
  expect(bytes.toString()).toBe("aaaaaaaaaa");
  reader.release();
  await expectOpen([]);
});

it("keeps only the newest files open, up to a limit", async () => {
  const files = createOpenFiles({ pathOf, keepMs: 60_000, maxKept: 2 });
  for (const key of ["a", "b", "c"]) (await files.acquire(key)).release();
  await expectOpen(["b", "c"]);
  files.forget(() => true);
  await expectOpen([]);
});

it("serves the new file to readers that arrive after a replacement", async () => {
  const files = createOpenFiles({ pathOf, keepMs: 60_000, maxKept: 10 });
  const old = await files.acquire("a");
  const duringOpen = files.acquire("b");
  await writeFile(pathOf("new"), "new");
  await rename(pathOf("new"), pathOf("a"));
  files.forget((key) => key === "a" || key === "b");
  const current = await files.acquire("a");
  expect([old.info.size, current.info.size]).toEqual([10n, 3n]);
  for (const reader of [old, current, await duringOpen]) reader.release();
  await expectOpen(["a"]);
  files.forget(() => true);
  await expectOpen([]);
});

it("ignores repeated releases and retries after a failure", async () => {
  const files = createOpenFiles({ pathOf, keepMs: 5, maxKept: 10 });
  await expect(files.acquire("d")).rejects.toMatchObject({ code: "ENOENT" });
  await writeFile(pathOf("d"), "d");
  const [one, other] = [await files.acquire("d"), await files.acquire("d")];
  one.release();
  one.release();
  await wait(50);
  expect(await other.read(Buffer.alloc(1), 0)).toBe(1);
  other.release();
  await expectOpen([]);
});
