import { expect, test } from "vitest";
import { selectTests } from "./select-tests.mjs";

test("runs all projects without arguments", () => {
  expect(selectTests([])).toEqual({ projects: ["unit", "long", "e2e"], args: [] });
});

test("selects projects, and passes paths and names to Vitest", () => {
  expect(selectTests(["--project=unit", "src/server", "-t", "likes"])).toEqual({
    projects: ["unit"],
    args: ["src/server", "-t", "likes"],
  });
});

test.each([
  [["src/server/http"], ["unit", "long"]],
  [
    ["./setup", "-t", "locks"],
    ["unit", "long"],
  ],
  [["e2e/feed"], ["e2e"]],
  [
    ["src/web", "e2e/feed"],
    ["unit", "long", "e2e"],
  ],
])("runs only the projects with tests under %j", (args, projects) => {
  expect(selectTests(args)).toEqual({ projects, args });
});

test("refuses an unknown project and lists the known ones", () => {
  expect(() => selectTests(["--project=units"])).toThrow("--project=units: there are unit, long");
});

test("leaves out long and end-to-end tests with --changed REV", () => {
  expect(selectTests(["--changed", "HEAD~3", "-t", "likes"])).toEqual({
    projects: ["unit"],
    args: ["--changed=HEAD~3", "-t", "likes"],
  });
});

test("compares --changed with the point at which the branch left main", () => {
  const { args } = selectTests(["--changed"]);
  expect(args).toEqual([expect.stringMatching(/^--changed=([0-9a-f]{40}|HEAD)$/)]);
});
