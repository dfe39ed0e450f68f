import { execFile, execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root as program } from "#test/harness/server-process.ts";
import { listTrackedFiles, writeSourceFiles } from "../../../../setup/source-files.mjs";
import { packSource, readSourceFiles } from "./source-archive.ts";

const run = promisify(execFile);
let root = "";

/** Files of the program, plus files that operators and editors leave in every folder. */
const files = {
  "package.json": "{}",
  LICENSE: "AGPL",
  "src/web/a.ts": "export const a = 1;\n".repeat(40),
  "docs/empty.md": "",
  "setup/media-tools/.npmrc": "save-exact=true",
  "deploy/compose/compose.yaml": "password: ${PASSWORD}",
  "deploy/compose/example.env": "PASSWORD=",
};
const planted = [
  ".env",
  ".env.production",
  "certificates/site.key",
  "certificates/site.pem",
  "data/config.json",
  "data/notes.ts",
  "dump.sql",
  "dump.sql.gz",
  "key.pem",
  ".a.ts.swp",
  "a.ts~",
  "a.ts.bak",
  "#a.ts#",
  "node_modules/x/index.js",
  "id_ed25519",
];

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

const git = (...args: string[]) =>
  execFileSync("git", ["-C", root, "-c", "user.name=a", "-c", "user.email=a@example.com", ...args]);

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "kinora-source-"));
  for (const [path, text] of Object.entries(files)) await write(path, text);
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message", "files");
  const folders = new Set(["", ...Object.keys(files).map((path) => dirname(path)), "src", "test"]);
  for (const folder of folders) {
    for (const name of planted) await write(join(folder, name), "SECRET");
  }
  await mkdir(join(root, "dist"));
});

afterAll(() => rm(root, { recursive: true, force: true }));

const expected = Object.keys(files).toSorted();
const list = async () => (await readSourceFiles(root)).map(({ path }) => path);

it("lists tracked files and ignores files put beside them", async () => {
  writeSourceFiles(root, join(root, "dist"));
  expect(await list()).toEqual(expected);
});

it("packs files that tar unpacks unchanged", async () => {
  const archive = join(root, "source.tar.gz");
  await writeFile(archive, await packSource(root, "kinora-1"));
  const { stdout } = await run("tar", ["-tzf", archive]);
  expect(stdout.trim().split("\n")).toEqual(expected.map((file) => `kinora-1/${file}`));
  await run("tar", ["-xzf", archive, "-C", root]);
  expect(await readFile(join(root, "kinora-1/src/web/a.ts"), "utf8")).toBe(files["src/web/a.ts"]);
});

it("leaves out a modified file in deploy", async () => {
  await write("deploy/compose/compose.yaml", "password: SECRET");
  expect(await list()).toEqual(expected.filter((path) => path !== "deploy/compose/compose.yaml"));
  await write("deploy/compose/compose.yaml", files["deploy/compose/compose.yaml"]);
});

it("uses the list from the release in a tree without git", async () => {
  const shipped = listTrackedFiles(root);
  await write("source-files.txt", shipped ?? "");
  await rm(join(root, ".git"), { recursive: true });
  await rm(join(root, "dist/source-files.txt"));
  expect(listTrackedFiles(root)).toBeNull();
  writeSourceFiles(root, join(root, "dist"));
  expect(await list()).toEqual(expected);
});

it("has only paths that are short enough for tar", async () => {
  const paths = (await readSourceFiles(program)).map(({ path }) => path);
  expect(paths).toContain("src/server/main.ts");
  expect(paths.filter((path) => path.length > 85)).toEqual([]);
});

/** Decides as container engines do: the last pattern that matches wins. */
function isInContext(path: string): boolean {
  let isExcluded = false;
  const lines = readFileSync(join(program, ".dockerignore"), "utf8").split("\n");
  for (const line of lines.filter((one) => one !== "" && !one.startsWith("#"))) {
    const pattern = line.replace(/^!/, "");
    const source = pattern
      .replace(/[.+^${}()|[\]\\]/g, "\\$&")
      .replace(/\*\*\/|\*/g, (stars) => (stars === "*" ? "[^/]*" : "(?:.*/)?"));
    if (new RegExp(`^${source}(?:/.*)?$`).test(path)) isExcluded = !line.startsWith("!");
  }
  return !isExcluded;
}

it("includes the program in the container's build context, using rules that all engines read the same way", () => {
  const tracked = (listTrackedFiles(program) ?? "").split("\n").filter((line) => line !== "");
  const paths = tracked.map((line) => line.replace(/\t.*/, ""));
  expect(paths.filter((path) => !isInContext(path))).toEqual([]);
  const text = readFileSync(join(program, ".dockerignore"), "utf8");
  expect(text.match(/^!.*\*.*$/gm)).toBeNull();
});

it("deletes the same secrets in the container's build", async () => {
  const text = readFileSync(join(program, "deploy/container/Containerfile"), "utf8");
  const step = /^RUN (cut .*)$/m.exec(text)?.[1] ?? "";
  const scratch = await mkdtemp(join(tmpdir(), "kinora-context-"));
  const context = join(scratch, "app");
  try {
    await cp(root, context, { recursive: true });
    await rm(join(context, ".git"), { recursive: true, force: true });
    writeSourceFiles(root, context);
    const command = step.replaceAll("/tmp/listed", join(scratch, "listed"));
    await run("sh", ["-c", command], { cwd: context });
    const left = await readdir(context, { recursive: true, withFileTypes: true });
    const paths = left
      .filter((entry) => entry.isFile())
      .map((entry) => relative(context, join(entry.parentPath, entry.name)));
    expect(paths.filter((path) => !path.startsWith("node_modules/")).toSorted()).toEqual(expected);
  } finally {
    await rm(scratch, { recursive: true });
  }
});

it("copies each folder and file of the program into the container by name", async () => {
  const text = readFileSync(join(program, "deploy/container/Containerfile"), "utf8");
  const copied = Array.from(text.matchAll(/^COPY (?!--from)(.*) \S+$/gm), ([, names = ""]) =>
    names.split(" "),
  ).flat();
  const tracked = (await readdir(program)).filter((name) =>
    (listTrackedFiles(program) ?? "").match(
      new RegExp(`^${name.replaceAll(".", "\\.")}(/|$)`, "m"),
    ),
  );
  expect(copied.toSorted()).toEqual(tracked.toSorted());
});
