import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { getPriority, tmpdir } from "node:os";
import path from "node:path";
import { spawn } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isInterrupted, isOverLimits } from "./media-process-error.ts";
import { createProcessRunner, type ProcessRunner, type RunRequest } from "./run-process.ts";
import { createSandbox, type Sandbox } from "./sandbox/sandbox.ts";

let cwd = "";
let sandbox: Sandbox;
let runner: ProcessRunner;
beforeAll(async () => {
  cwd = await mkdtemp(path.join(tmpdir(), "kinora-run-"));
  sandbox = await createSandbox(cwd);
  runner = createProcessRunner(sandbox);
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

const limits = {
  addressSpaceBytes: 2 ** 32,
  rssBytes: 2 ** 30,
  cpuS: 20,
  wallS: 300,
  outputBytes: 2 ** 20,
};
const sh = (script: string, change: Partial<RunRequest> = {}) =>
  runner.run({ program: "sh", args: ["-c", script], cwd, outputDir: cwd, limits, ...change });

/**
 * Returns whether a process with these arguments is running in any namespace. Zombies have no
 * arguments.
 */
async function isRunning(...args: string[]): Promise<boolean> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
  );
  return lines.includes(`${args.join("\0")}\0`);
}

async function waitUntil(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 20));
}

test("returns output, errors and the exit code", async () => {
  const result = await sh("echo out; echo complaint >&2; exit 3");
  expect(result).toMatchObject({ exitCode: 3, killed: null, stderr: "complaint\n" });
  expect(result.stdout.toString()).toBe("out\n");
});

test("runs work that users wait for first, then background work, then low-priority work", async () => {
  const readNiceness = async (change: Partial<RunRequest>) =>
    Number((await sh("nice", change)).stdout.toString());
  const own = getPriority();
  expect(await readNiceness({ isUrgent: true })).toBe(own);
  expect(await readNiceness({})).toBe(Math.min(19, own + 10));
  expect(await readNiceness({ isLowPriority: true })).toBe(19);
});

test("fails for a missing program", async () => {
  const result = await runner.run({ program: "/no/such/tool", args: [], cwd, limits }).then(
    ({ exitCode }) => exitCode,
    () => "rejected",
  );
  expect(result).not.toBe(0);
});

test("passes no environment and no input to the tool", async () => {
  process.env["KINORA_TEST_SECRET"] = "hidden";
  try {
    const result = await sh("env; cat");
    const text = result.stdout.toString();
    expect(text).not.toContain("hidden");
    expect(text).not.toContain("KINORA");
    expect(text).toContain("PATH=");
  } finally {
    delete process.env["KINORA_TEST_SECRET"];
  }
});

test("ends the process when its output exceeds the limit and cuts the middle out of errors", async () => {
  const flood = await sh("yes", { maxStdoutBytes: 100_000 });
  expect(flood.killed).toBe("output");
  const noisy = await sh("echo first >&2; seq 1 200000 >&2; echo last >&2");
  expect(noisy.stderr.length).toBeLessThan(200_000);
  expect(noisy.stderr).toMatch(/^first\n/);
  expect(noisy.stderr).toMatch(/last\n$/);
  expect(noisy.stderrLineCount).toBe(200_002);
});

test("limits time, processor time and memory", async () => {
  expect((await sh("sleep 30", { limits: { ...limits, wallS: 0.3 } })).killed).toBe("timeout");
  const busy = await sh("while :; do :; done", { limits: { ...limits, cpuS: 1 } });
  expect(busy).toMatchObject({ killed: null, signal: "SIGXCPU", isOutOfCpuTime: true });
  expect([isOverLimits(busy), isInterrupted(busy)]).toEqual([true, false]);
  const eat = "x=aaaaaaaaaaaaaaaa; while :; do x=$x$x; done";
  const starved = await sh(eat, { limits: { ...limits, addressSpaceBytes: 200 * 2 ** 20 } });
  expect(starved.exitCode).not.toBe(0);
  expect(starved.usage.peakRssBytes).toBeLessThan(200 * 2 ** 20);
});

test.each([
  ["KILL", { isOver: false, isFromOutside: true }],
  ["TERM", { isOver: false, isFromOutside: true }],
  ["SEGV", { isOver: false, isFromOutside: false }],
])("doesn't treat an external SIG%s as a limit", async (name, expected) => {
  const result = await sh(`kill -${name} $$`);
  expect(result).toMatchObject({ exitCode: null, signal: `SIG${name}`, isOutOfCpuTime: false });
  expect({ isOver: isOverLimits(result), isFromOutside: isInterrupted(result) }).toEqual(expected);
});

test("reports ffmpeg as interrupted if it was told to end, and otherwise as failed", async () => {
  const told = await sh("exit 255");
  expect(isInterrupted(told)).toBe(true);
  const refused = await sh("echo 'out.mp4: Operation not permitted' >&2; exit 255");
  expect([isInterrupted(refused), isOverLimits(refused)]).toEqual([false, false]);
});

test("ends the process when resident memory exceeds its limit", async () => {
  const hold = "x=$(head -c 60000000 /dev/zero | tr '\\0' a); sleep 20";
  const result = await sh(hold, { limits: { ...limits, rssBytes: 30 * 2 ** 20 } });
  expect(result.killed).toBe("memory");
});

test("kills the process group on an abort and rejects with its reason", async () => {
  const abort = new AbortController();
  const sleep = ["sleep", "61.25"];
  const running = sh("sleep 61.25 & wait", { signal: abort.signal });
  await waitUntil(() => isRunning(...sleep));
  abort.abort(new Error("stopped by a test"));
  await expect(running).rejects.toThrow("stopped by a test");
  await waitUntil(async () => !(await isRunning(...sleep)));
});

test("ends a process that leaves its group and session", async (context) => {
  if (sandbox.level === "none") context.skip("this machine allows no namespaces");
  const sleep = ["sleep", "61.75"];
  const running = sh("setsid sleep 61.75 & wait", { limits: { ...limits, wallS: 4 } });
  await waitUntil(() => isRunning(...sleep));
  expect((await running).killed).toBe("timeout");
  await waitUntil(async () => !(await isRunning(...sleep)));
});

test("ends a stalled process", async () => {
  const result = await sh("sleep 30", { findStall: () => "stalled" });
  expect(result.killed).toBe("stalled");
});

test("blocks the network", async (context) => {
  if (sandbox.level === "none") context.skip("this machine allows no namespaces");
  const result = await sh("cat /proc/net/route /proc/net/tcp | wc -l; ls /sys/class/net");
  const [lines = ""] = result.stdout.toString().split("\n");
  // Each file has a heading and no other lines.
  expect(Number(lines)).toBeLessThanOrEqual(2);
});

test("counts the resources that the tool uses without those of its sandbox", async () => {
  const hold =
    "x=$(head -c 60000000 /dev/zero | tr '\\0' a); i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done; sleep 1";
  const { usage } = await sh(hold);
  expect(usage.peakRssBytes).toBeGreaterThan(50e6);
  expect(usage.cpuS).toBeGreaterThan(0.05);
});

test("ends the tool when its parent ends, even if the parent is killed", async (context) => {
  if (sandbox.level === "none") context.skip("this machine allows no namespaces");
  const script = path.join(cwd, "parent.ts");
  const here = import.meta.dirname;
  const sleep = ["sleep", "62.25"];
  await writeFile(
    script,
    `import { createSandbox } from ${JSON.stringify(path.join(here, "sandbox/sandbox.ts"))};
     import { createProcessRunner } from ${JSON.stringify(path.join(here, "run-process.ts"))};
     const runner = createProcessRunner(await createSandbox(${JSON.stringify(cwd)}));
     await runner.run({ program: "sh", args: ["-c", "sleep 62.25; true"],
       cwd: ${JSON.stringify(cwd)}, limits: ${JSON.stringify(limits)} });`,
  );
  const parent = spawn(process.execPath, [script], { stdio: "ignore" });
  await waitUntil(() => isRunning(...sleep));
  parent.kill("SIGKILL");
  await waitUntil(async () => !(await isRunning(...sleep)));
  expect(await isRunning(...sleep)).toBe(false);
});
