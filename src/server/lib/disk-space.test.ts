import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { afterEach, expect, it, vi } from "vitest";
import { readDiskSpace } from "./disk-space.ts";

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

it.each([
  ["counts blocks in fragments, which may be smaller than reads", 4096, 4096],
  ["counts blocks in reads if the size of fragments is unknown", 0, 2 ** 20],
])("%s", async (_name, frsize, blockBytes) => {
  const real = await fs.statfs(tmpdir());
  vi.spyOn(fs, "statfs").mockResolvedValue({
    ...real,
    bsize: 2 ** 20,
    frsize,
    blocks: 500,
    bavail: 30,
  });
  syncBuiltinESMExports();
  expect(await readDiskSpace("/data")).toEqual({
    freeBytes: 30 * blockBytes,
    sizeBytes: 500 * blockBytes,
  });
});
