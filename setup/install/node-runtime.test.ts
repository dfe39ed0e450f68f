import { afterEach, expect, test, vi } from "vitest";
import { runMain } from "../process/say.mjs";
import { findNode } from "./node-runtime.mjs";

const isLinux = process.platform === "linux" && ["x64", "arm64"].includes(process.arch);
afterEach(() => vi.restoreAllMocks());

test.runIf(isLinux)("uses the pinned Node.js", () => {
  expect(findNode("20.0.0")).toMatch(/node_modules\/node-linux-\w+\/bin\/node$/);
});

test.runIf(isLinux)("uses the machine's own Node.js on a system without glibc", () => {
  vi.spyOn(process.report, "getReport").mockReturnValue({ header: {} });
  expect(findNode("24.0.0")).toBe(process.execPath);
  expect(() => findNode("22.1.0")).toThrow(
    /^Kinora runs on Node.js 24, which has no package for linux-\w+ without glibc, and this is v22.1.0./,
  );
});

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
