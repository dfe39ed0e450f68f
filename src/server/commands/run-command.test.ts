import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { root } from "#test/harness/server-process.ts";
import { commands, runCommand } from "./run-command.ts";

let output = { stdout: "", stderr: "" };
beforeEach(() => {
  output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      output[name] += String(text);
      return true;
    });
  }
  // A command that ran would fail because of this value.
  vi.stubEnv("PORT", "none");
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const names = [...commands.keys()];

it.each(names)("prints help with an example for %s", async (name) => {
  expect(await runCommand([...name.split(" "), "--help"])).toBe(0);
  expect(output.stderr).toBe("");
  expect(output.stdout).toMatch(/^[A-Z].*\.\n\nUsage:\n {2}npm run /);
  expect(output.stdout).toMatch(/\nExamples?:\n {2}\S/);
});

it.each([...commands])("gives examples that a shell accepts for %s", (_name, { examples }) => {
  for (const example of examples) expect(spawnSync("sh", ["-nc", example]).status).toBe(0);
});

it.each(names)("refuses an unknown option of %s in one line", async (name) => {
  expect(await runCommand([...name.split(" "), "a@example.com", "--unknown"])).toBe(2);
  expect(output.stdout).toBe("");
  expect(output.stderr).toMatch(/^Unknown option '--unknown'\. See npm run .* --help\.\n$/);
});

it.each([
  [[], "Specify a command."],
  [["dance"], 'Unknown command "dance".'],
  [["--dance"], 'Unknown command "--dance".'],
  [["storage"], 'Unknown command "storage". Use storage adopt or storage move.'],
  [["storage", "keep"], 'Unknown command "storage keep".'],
  [["backup"], "Missing argument FILE."],
])("refuses %j in one line", async (args, message) => {
  expect(await runCommand(args)).toBe(2);
  expect(output.stdout).toBe("");
  expect(output.stderr).toContain(message);
  expect(output.stderr).toMatch(/^[^\n]*\n$/);
});

it("lists all commands, or those of a group", async () => {
  expect(await runCommand(["--help"])).toBe(0);
  for (const name of names) expect(output.stdout).toMatch(new RegExp(` ${name}[ \n]`));
  output.stdout = "";
  expect(await runCommand(["storage", "--help"])).toBe(0);
  expect(output.stdout).toContain("storage move --to s3|disk\n");
  expect(output.stdout).not.toContain("backup");
});

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kinora-programs-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs a program of the repository. It must end before it sets up or changes anything. */
const run = (...args: string[]) =>
  new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    const env = { ...process.env, DATA_DIR: join(folder, "data"), PORT: "none" };
    execFile(process.execPath, args, { cwd: root, env }, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, stdout, stderr });
    });
  });

it.each([
  "setup/start.mjs",
  "setup/start.mjs --demo",
  "setup/start.mjs --dev",
  "setup/check.mjs",
  "setup/build.ts",
  "setup/docs.mjs",
  "setup/checks/config-page.ts",
  "setup/checks/released-migrations.ts",
  "setup/checks/roles-page.ts",
  "setup/checks/text-types.ts",
  "bench/main.ts lists",
  "demo/main.ts",
  "src/server/main.ts",
])("prints help and refuses unknown options: %s", async (program) => {
  const start = program.split(" ");
  const [help, unknown] = await Promise.all([run(...start, "--help"), run(...start, "--halp")]);
  expect(help).toMatchObject({ code: 0, stderr: "" });
  expect(help.stdout).toMatch(/\nUsage:\n[^]*\nExamples?:\n/);
  expect(unknown).toMatchObject({ code: 2, stdout: "" });
  expect(unknown.stderr).toMatch(/^Unknown option '--halp'\. See .* --help\.\n$/);
  expect(await readdir(folder)).toEqual([]);
});
