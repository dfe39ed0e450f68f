import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isAlive } from "#server/db/engine/postmaster-file.ts";

const launcherScript = fileURLToPath(new URL("../../test/fixtures/launcher.mjs", import.meta.url));

let dir: string;
let log: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "kinora-launch-"));
  log = join(dir, "log");
});
afterEach(() => {
  vi.unstubAllEnvs();
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(dir, { recursive: true });
});

const notes = () => readFileSync(log, { encoding: "utf8", flag: "a+" }).trim().split("\n");

/** Runs a command line that contains the launcher, as npm would. Resolves when the server is up. */
async function launch(command: string, args: string[], underNpm = false) {
  const { npm_lifecycle_event: _, ...env } = process.env;
  const child = spawn(command, args, {
    env: underNpm ? { ...env, npm_lifecycle_event: "start" } : env,
    stdio: "ignore",
    detached: true,
  });
  children.push(child);
  const serverPid = await vi.waitFor(
    () => {
      const pid = /^pid (\d+)$/.exec(notes()[0] ?? "")?.[1];
      if (pid === undefined) throw new Error("not up yet");
      return Number(pid);
    },
    { timeout: 20_000 },
  );
  return { child, serverPid };
}

const launcher = (code: number) => [launcherScript, log, String(code)];

test("passes a signal on and returns the exit code", async () => {
  const { child } = await launch(process.execPath, launcher(7));
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([7, null]);
  expect(notes().slice(1)).toEqual(["SIGTERM"]);
});

test("ends after a signal in development too, even if the server then fails", async () => {
  vi.stubEnv("WATCHED", "1");
  const { child } = await launch(process.execPath, launcher(7));
  child.kill("SIGINT");
  expect(await once(child, "exit")).toEqual([7, null]);
});

test("ends after a signal in development while it waits for a change", async () => {
  vi.stubEnv("WATCHED", "1");
  const { child, serverPid } = await launch(process.execPath, launcher(0));
  process.kill(serverPid, "SIGKILL");
  await expect.poll(() => isAlive(serverPid)).toBe(false);
  child.kill("SIGINT");
  expect(await once(child, "exit")).toEqual([137, null]);
});

test("passes only the first stop signal on", async () => {
  const { child } = await launch(process.execPath, launcher(0));
  child.kill("SIGINT");
  await expect.poll(() => notes().length).toBeGreaterThan(1);
  child.kill("SIGINT");
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(notes().slice(1)).toEqual(["SIGINT"]);
});

test("fails if the server is killed from outside", async () => {
  const { child, serverPid } = await launch(process.execPath, launcher(0));
  process.kill(serverPid, "SIGKILL");
  expect(await once(child, "exit")).toEqual([137, null]);
});

test("notifies the server when its launcher is killed", async () => {
  const { child, serverPid } = await launch(process.execPath, launcher(0));
  child.kill("SIGKILL");
  await expect.poll(() => isAlive(serverPid)).toBe(false);
  expect(notes().slice(1)).toEqual(["disconnect"]);
});

// Some shells stay between npm and the script. Others are replaced by it.
test.each([
  ["through a shell that stays", (line: string) => `/bin/sh -c '${line}; true' & wait`],
  ["directly", (line: string) => `${line} & wait`],
])("ends the server when the npm that started it is killed, %s", async (_, wrap) => {
  const line = [process.execPath, ...launcher(0)].join(" ");
  const { child, serverPid } = await launch("/bin/bash", ["-c", wrap(line)], true);
  child.kill("SIGKILL");
  await expect.poll(() => isAlive(serverPid)).toBe(false);
  expect(notes().slice(1)).toEqual(["SIGTERM"]);
});
