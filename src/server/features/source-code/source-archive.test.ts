import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { listSourceFiles, packSource } from "./source-archive.ts";

let root = "";

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "kinora-source-"));
  const files = {
    "package.json": "{}",
    LICENSE: "AGPL",
    "src/web/a.ts": "export const a = 1;\n".repeat(40),
    "docs/empty.md": "",
    ".env": "SECRET=1",
    ".npmrc": "token",
    "backup.sql": "content",
    "data/video.mp4": "bytes",
    "node_modules/x/index.js": "x",
    "setup/media-tools/node_modules/x/index.js": "x",
    "setup/media-tools/.npmrc": "save-exact=true",
    "bench/.work/site/video.mp4": "bytes",
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
});

afterAll(() => rm(root, { recursive: true, force: true }));

const expected = [
  "LICENSE",
  "docs/empty.md",
  "package.json",
  "setup/media-tools/.npmrc",
  "src/web/a.ts",
];

it("lists the program and nothing that stands beside it", async () => {
  expect(await listSourceFiles(root)).toEqual(expected);
});

it("packs files that tar unpacks unchanged", async () => {
  const archive = join(root, "source.tar.gz");
  await writeFile(archive, await packSource(root, "kinora-1"));
  const run = promisify(execFile);
  const { stdout } = await run("tar", ["-tzf", archive]);
  expect(stdout.trim().split("\n")).toEqual(expected.map((file) => `kinora-1/${file}`));
  await run("tar", ["-xzf", archive, "-C", root]);
  expect(await readFile(join(root, "kinora-1/src/web/a.ts"), "utf8")).toBe(
    await readFile(join(root, "src/web/a.ts"), "utf8"),
  );
});

it("finds every path of this program short enough", async () => {
  const files = await listSourceFiles(process.cwd());
  expect(files).toContain("src/server/main.ts");
  expect(files.filter((file) => file.length > 85)).toEqual([]);
});
