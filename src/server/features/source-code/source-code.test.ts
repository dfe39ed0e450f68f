import { execFile, execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import Fastify from "fastify";
import { afterEach, beforeEach, expect, it } from "vitest";
import { registerErrors } from "#server/http/errors.ts";
import { root as program } from "#test/harness/server-process.ts";
import { archiveSource } from "../../../../setup/source-archive.mjs";
import { createSourceCodeFeature } from "./source-code.feature.ts";

const run = promisify(execFile);
let root = "";

const committed = {
  ".npmrc": "save-exact=true",
  LICENSE: "AGPL",
  "deploy/compose/compose.yaml": "password: ${PASSWORD}",
  "package.json": "{}",
  "src/web/a.ts": "export const a = 1;\n".repeat(40),
};
/** Files that operators and editors leave beside the program. */
const untracked = [
  ".env",
  ".env.production",
  ".npmrc.bak",
  "a.ts~",
  "certificates/site.key",
  "data/config.json",
  "deploy/compose/.env",
  "dump.sql",
  "id_ed25519",
  "node_modules/x/index.js",
  "docs/.a.md.swp",
];

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

const git = (...args: string[]) =>
  execFileSync("git", ["-C", root, "-c", "user.name=a", "-c", "user.email=a@example.com", ...args]);
const commitAll = () => git("commit", "--quiet", "--all", "--message", "change");

/** Unpacks an archive into a new folder. @returns its files by path. */
async function unpack(archive: string, ...options: string[]): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(root, ".unpacked-"));
  await run("tar", ["-xzf", archive, "-C", folder, ...options]);
  return readFiles(folder);
}

async function readFiles(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  const read = async (path: string) => [relative(folder, path), await readFile(path, "utf8")];
  return Object.fromEntries(await Promise.all(paths.toSorted().map(read)));
}

const hasGit = spawnSync("git", ["--version"]).status === 0;

beforeEach(async ({ skip }) => {
  skip(!hasGit, "git isn't installed");
  root = await mkdtemp(join(tmpdir(), "kinora-source-"));
  for (const [path, text] of Object.entries(committed)) await write(path, text);
  git("init", "--quiet");
  git("add", "--all");
  commitAll();
});
afterEach(() => rm(root, { recursive: true, force: true }));

const packed = () => unpack(join(root, "source.tar.gz"), "--strip-components=1");

it("packs what is committed, without other files and without edits of operators", async () => {
  for (const path of untracked) await write(path, "SECRET");
  await write(".npmrc", "//registry.example/:_authToken=SECRET");
  await write("deploy/compose/compose.yaml", "password: SECRET");
  await write("deploy/staged.env", "SECRET");
  git("add", "deploy/staged.env");
  expect(archiveSource(root)).toBeNull();
  expect(await packed()).toEqual(committed);
});

it("packs again after a commit and keeps the archive otherwise", async () => {
  archiveSource(root);
  const first = await readFile(join(root, "source.tar.gz"));
  await writeFile(join(root, "source.tar.gz"), first.subarray(0, -1));
  archiveSource(root);
  expect(await readFile(join(root, "source.tar.gz"))).toHaveLength(first.length - 1);
  await write("src/web/a.ts", "export const a = 2;\n");
  commitAll();
  archiveSource(root);
  expect(await packed()).toEqual({ ...committed, "src/web/a.ts": "export const a = 2;\n" });
});

it("asks the operator to commit changes of the program", async () => {
  await write("src/web/a.ts", "export const a = 2;\n");
  await write("src/web/b.ts", "");
  expect(archiveSource(root)).toContain("(src/web/a.ts, src/web/b.ts)");
  expect(await packed()).toEqual(committed);
});

it("explains why the archive can't be written", async () => {
  await mkdir(join(root, "source.tar.gz"));
  expect(archiveSource(root)).toContain("EISDIR");
});

it("keeps the archive of a release in a folder without git", async () => {
  await rm(join(root, ".git"), { recursive: true });
  await write("source.tar.gz", "shipped");
  expect(archiveSource(root)).toBeNull();
  expect(await readFile(join(root, "source.tar.gz"), "utf8")).toBe("shipped");
});

it("explains a folder without git and without an archive, even inside another repository", async () => {
  await write("inner/src/a.ts", "");
  const inner = join(root, "inner");
  expect(archiveSource(inner)).toContain("nor source.tar.gz");
  expect(existsSync(join(inner, "source.tar.gz"))).toBe(false);
});

it("serves the archive, and a sentence if there is none", async () => {
  const app = Fastify();
  registerErrors(app);
  const archive = join(root, "source.tar.gz");
  await createSourceCodeFeature(archive).registerRoutes?.(app);
  const missing = await app.inject("/source.tar.gz");
  expect([missing.statusCode, missing.body]).toEqual([404, expect.stringContaining("operator")]);
  archiveSource(root);
  const content = await readFile(archive);
  const found = await app.inject("/source.tar.gz");
  expect(found.rawPayload.equals(content)).toBe(true);
  expect(found.headers).toMatchObject({
    "content-type": "application/gzip",
    "content-length": String(content.length),
    "content-disposition": 'attachment; filename="source.tar.gz"',
  });
  await app.close();
});

/** The instructions of the container file that fill `/app` from `/context`. */
async function fillLikeContainer(context: string): Promise<Record<string, string>> {
  const text = await readFile(join(program, "deploy/container/Containerfile"), "utf8");
  const steps = Array.from(text.matchAll(/^RUN (.*(?:\/context|tar ).*)$/gm), ([, step]) => step);
  expect(steps).toHaveLength(2);
  const app = await mkdtemp(join(root, ".app-"));
  const script = steps.join("\n").replaceAll("/context", context);
  await run("sh", ["-ec", script], { cwd: app });
  const { "source.tar.gz": archive, ...files } = await readFiles(app);
  expect(archive).toBeDefined();
  return files;
}

it("puts only committed files into the container, from a repository or a release", async () => {
  for (const path of untracked) await write(path, "SECRET");
  await write(".npmrc", "//registry.example/:_authToken=SECRET");
  expect(await fillLikeContainer(root)).toEqual(committed);
  archiveSource(root);
  await rm(join(root, ".git"), { recursive: true });
  expect(await fillLikeContainer(root)).toEqual(committed);
});

it("has only the repository or the archive in the container's build context", async () => {
  const text = await readFile(join(program, ".dockerignore"), "utf8");
  const rules = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  expect(rules).toEqual(["*", "!.git", "!source.tar.gz"]);
});
