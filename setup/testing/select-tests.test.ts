import { expect, test } from "vitest";
import { selectTests } from "./select-tests.mjs";

test("without arguments all projects run", () => {
  expect(selectTests([])).toEqual({ projects: ["unit", "long", "e2e"], args: [] });
});

test("projects can be chosen, paths and names go to Vitest", () => {
  expect(selectTests(["--project=unit", "src/server", "-t", "likes"])).toEqual({
    projects: ["unit"],
    args: ["src/server", "-t", "likes"],
  });
});

test("an unknown project is refused by name", () => {
  expect(() => selectTests(["--project=units"])).toThrow("--project=units: there are unit, long");
});

test("--changed takes a revision and leaves out the end-to-end tests", () => {
  expect(selectTests(["--changed", "HEAD~3", "-t", "likes"])).toEqual({
    projects: ["unit", "long"],
    args: ["--changed=HEAD~3", "-t", "likes"],
  });
});

test("--changed alone compares with the point at which the branch left main", () => {
  const { args } = selectTests(["--changed"]);
  expect(args).toEqual([expect.stringMatching(/^--changed=([0-9a-f]{40}|HEAD)$/)]);
});
