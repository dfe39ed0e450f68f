import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findFileBelow, listFolder } from "./import-folder.ts";

let root: string;
let folder: string;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "kinora-import-")));
  folder = join(root, "import");
  await mkdir(join(folder, ".hidden"), { recursive: true });
  await mkdir(join(folder, "clips"));
  for (const path of ["a.mp4", "clips/b.mp4", ".env", ".hidden/c.mp4", "a.srt", "a.f137.mp4"]) {
    await writeFile(join(folder, path), "x");
  }
  await writeFile(join(root, "outside.mp4"), "x");
  await symlink(join(root, "outside.mp4"), join(folder, "out.mp4"));
  await symlink(root, join(folder, "parent"));
  await symlink(join(folder, ".env"), join(folder, "env.mp4"));
  await symlink(join(folder, "clips/b.mp4"), join(folder, "inside.mp4"));
});
afterAll(() => rm(root, { recursive: true }));

it("lists videos that are neither hidden, links nor unmerged streams", async () => {
  const { files } = await listFolder(folder);
  expect(files?.map(({ path }) => path)).toEqual(["a.mp4", "clips/b.mp4"]);
});

it("leaves out folders on request", async () => {
  const { files } = await listFolder(folder, ["clips"]);
  expect(files?.map(({ path }) => path)).toEqual(["a.mp4"]);
});

it.each(["a.mp4", "clips/b.mp4", "inside.mp4"])("finds %s", async (path) => {
  expect(await findFileBelow(folder, path)).not.toBeNull();
});

it.each([
  ".env",
  "./.env",
  "clips/../.env",
  ".hidden/c.mp4",
  "env.mp4",
  "out.mp4",
  "parent/outside.mp4",
  "../outside.mp4",
  "clips",
  "missing.mp4",
])("finds nothing at %s", async (path) => {
  expect(await findFileBelow(folder, path)).toBeNull();
});
