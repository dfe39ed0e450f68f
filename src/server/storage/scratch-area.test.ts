import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { createScratchArea } from "./scratch-area.ts";
import { makeFolder } from "#test/shared.ts";

let root = "";
beforeEach(async () => {
  root = makeFolder("scratch");
});

test("removes only folders of ended processes", async () => {
  const area = createScratchArea(root);
  const own = await area.make();
  const [ownName = ""] = await readdir(root);
  const [machine = "", pid = "", started = ""] = ownName.split(".");
  // The same process id with a different start time belongs to an ended process.
  const dead = `${machine}.${pid}.${Number(started) + 1}`;
  const foreign = "0123456789ab.1.1";
  const oldForeign = "ba9876543210.1.1";
  for (const name of [dead, foreign, oldForeign]) {
    await mkdir(path.join(root, name));
    await writeFile(path.join(root, name, "part"), "x");
  }
  const longAgo = new Date(Date.now() - 72 * 3600 * 1000);
  await utimes(path.join(root, oldForeign, "part"), longAgo, longAgo);
  await utimes(path.join(root, oldForeign), longAgo, longAgo);

  expect(await area.sweep()).toBe(2);
  expect((await readdir(root)).toSorted()).toEqual([foreign, ownName].toSorted());
  await own.remove();
});

test("sweeps nothing in a missing folder", async () => {
  expect(await createScratchArea(path.join(root, "none")).sweep()).toBe(0);
});
