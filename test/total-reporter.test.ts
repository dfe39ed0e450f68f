import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const reporter = fileURLToPath(new URL("total-reporter.ts", import.meta.url));
const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kinora-reporter-"));
  const files = {
    "vitest.config.mjs": `import { TotalReporter } from ${JSON.stringify(reporter)};
      export default { test: { globals: true, reporters: [new TotalReporter()] } };`,
    "mixed.test.js": `test("a", () => {});
      test("b", () => { throw new Error("expected"); });
      test.skip("c", () => {});`,
    "broken.test.js": `import "./missing.js";`,
    "hook.test.js": `beforeAll(() => { throw new Error("expected"); }); test("d", () => {});`,
    "late.test.js": `test("e", () => { void Promise.reject(new Error("expected")); });`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs the example files. Returns the exit code and the output. */
async function run(args: string[], env: Record<string, string> = {}) {
  const result = promisify(execFile)(process.execPath, [vitest, "run", ...args], {
    cwd: folder,
    // A run of all tests doesn't count the example files.
    env: { ...process.env, VITEST_POOL_ID: undefined, TEST_TOTALS: undefined, ...env },
  });
  return result.then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { code: number; stdout: string }) => ({ code: error.code, stdout: error.stdout }),
  );
}

test("counts files that can't load, failed hooks and errors outside tests as failed", async () => {
  const totals = join(folder, "totals");
  const { code, stdout } = await run([], { TEST_NOTES: "See the docs.", TEST_TOTALS: totals });
  expect(stdout.trimEnd().split("\n").slice(-2)).toEqual([
    "See the docs.",
    "2 passed, 4 failed, 2 skipped",
  ]);
  expect(code).toBe(1);
  expect(await readFile(totals, "utf8")).toBe("2 passed, 4 failed, 2 skipped\n");
});

test("succeeds if the chosen tests pass", async () => {
  const { code, stdout } = await run(["mixed", "-t", "a"]);
  expect(stdout.trimEnd().split("\n").at(-1)).toBe("1 passed, 0 failed, 2 skipped");
  expect(code).toBe(0);
});

test("fails if no test matches", async () => {
  expect((await run(["mixed", "-t", "unknown"])).code).toBe(1);
  const { code, stdout } = await run(["unknown"]);
  expect(stdout.trimEnd().split("\n").at(-1)).toBe("0 passed, 1 failed, 0 skipped");
  expect(code).toBe(1);
});
