import { rename, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { createKnownFiles } from "./known-files.ts";
import { makeFolder } from "#test/shared.ts";

let folder = "";
beforeAll(async () => {
  folder = makeFolder("known");
});

async function makeFile(name: string, text: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, text);
  return file;
}

test("reads a file once, even if it is renamed, and again after it has changed", async () => {
  const known = createKnownFiles<{ reads: number }>();
  let reads = 0;
  const find = (file: string) =>
    known.find(file, async () => {
      reads += 1;
      return { reads };
    });
  const first = await makeFile("first", "a");
  expect(await find(first)).toEqual({ reads: 1 });
  const moved = path.join(folder, "moved");
  await rename(first, moved);
  const found = await find(moved);
  expect(found).toEqual({ reads: 1 });
  // Changes by one reader must not affect the next.
  found.reads = 100;
  expect(await find(moved)).toEqual({ reads: 1 });
  await utimes(moved, 1, 1);
  expect(await find(moved)).toEqual({ reads: 2 });
  expect(await find(await makeFile("other", "a"))).toEqual({ reads: 3 });
});

test("drops the oldest results and doesn't cache failures", async () => {
  const known = createKnownFiles<string>(1);
  const [first, second] = [await makeFile("one", "1"), await makeFile("two", "2")];
  await expect(known.find(first, () => Promise.reject(new Error("no video")))).rejects.toThrow();
  expect(await known.find(first, async () => "read")).toBe("read");
  expect(await known.find(second, async () => "second")).toBe("second");
  expect(await known.find(first, async () => "read again")).toBe("read again");
});
