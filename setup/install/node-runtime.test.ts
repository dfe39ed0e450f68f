import { afterEach, expect, test, vi } from "vitest";
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
