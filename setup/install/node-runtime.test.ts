import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { modulesDir } from "../process/paths.mjs";
import { runMain } from "../process/say.mjs";
import { findNode } from "./node-runtime.mjs";

vi.mock("../process/paths.mjs", async () => {
  const { makeFolder } = await import("#test/shared.ts");
  return { modulesDir: makeFolder("node-runtime") };
});

const pinned = join(modulesDir, `node-${process.platform}-${process.arch}`, "bin", "node");
const runsPath = join(modulesDir, "runs");

/** Installs a pinned Node.js that ends with this exit code. */
function pinNode(exitCode: number): void {
  mkdirSync(dirname(pinned), { recursive: true });
  writeFileSync(pinned, `#!/bin/sh\necho "$@" >>'${runsPath}'\nexit ${exitCode}\n`);
  chmodSync(pinned, 0o755);
}

afterEach(() => vi.restoreAllMocks());

test("tries the pinned Node.js once and uses it", () => {
  pinNode(0);
  expect(findNode("20.0.0")).toBe(pinned);
  expect(findNode("20.0.0")).toBe(pinned);
  expect(readFileSync(runsPath, "utf8")).toBe("--version\n");
});

test("uses the machine's own Node.js if the pinned one doesn't run", () => {
  pinNode(127);
  expect(findNode("24.0.0")).toBe(process.execPath);
  expect(() => findNode("22.1.0")).toThrow(
    /^Kinora needs Node.js 24, but this is v22.1.0, and the Node.js that Kinora installs doesn't run on this system \(\w+-\w+\)./,
  );
});

test.runIf(process.platform === "linux")(
  "uses the machine's own Node.js on a system without glibc",
  async () => {
    pinNode(0);
    vi.spyOn(process.report, "getReport").mockReturnValue({ header: {} });
    vi.resetModules();
    const onMusl = await import("./node-runtime.mjs");
    expect(onMusl.findNode("24.0.0")).toBe(process.execPath);
  },
);

test("refuses a Node.js that is too old for the set-up in one line, before anything runs", async () => {
  const main = vi.fn(async () => undefined);
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const { exitCode } = process;
  try {
    await runMain(main, "18.19.1");
    expect(process.exitCode).toBe(1);
  } finally {
    process.exitCode = exitCode;
  }
  expect(main).not.toHaveBeenCalled();
  expect(write.mock.calls).toEqual([
    [
      "Kinora needs Node.js 20 or newer, and this is v18.19.1. Install a newer one from https://nodejs.org and try again.\n",
    ],
  ]);
  await runMain(main, "20.0.0");
  expect(main).toHaveBeenCalled();
});
