import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { afterEach, expect, it, vi } from "vitest";
import { ensureDataFolder } from "./data-folder.ts";

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

it.each([
  ["EROFS", `add ReadWritePaths=${tmpdir()} to [Service]`],
  ["EACCES", "Use a folder that this user can write to."],
])("says what to do about a data folder that fails with %s", async (code, advice) => {
  vi.spyOn(fs, "mkdtemp").mockRejectedValue(Object.assign(new Error(code), { code }));
  syncBuiltinESMExports();
  await expect(ensureDataFolder(tmpdir())).rejects.toThrow(advice);
});
