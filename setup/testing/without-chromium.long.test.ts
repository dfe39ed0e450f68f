import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kinora-no-chromium-"));
  const files = {
    "vitest.config.mjs": `import { TotalReporter } from "${root}/test/total-reporter.ts";
      const test = { name: "smoke", include: ["*.e2e.js"] };
      const globalSetup = "${root}/setup/testing/browser-setup.mjs";
      const browser = { ...test, globalSetup, runner: "${root}/test/browser-runner.ts" };
      export default { test: { globals: true, reporters: [new TotalReporter()],
        projects: [{ test: { name: "unit", include: ["*.test.js"] } }, { test: browser }] } };`,
    "quick.test.js": `test("a", () => {});`,
    "page.e2e.js": `beforeAll(() => { throw new Error("no browser"); });
      test("b", () => {});
      describe("c", () => { test("d", () => {}); });`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs the example tests where Chromium is missing and can't be installed. */
async function run(env: Record<string, string>) {
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const nowhere = {
    PATH: "",
    CHROMIUM_PATH: "",
    PLAYWRIGHT_BROWSERS_PATH: folder,
    PLAYWRIGHT_DOWNLOAD_HOST: "http://127.0.0.1:9",
  };
  const result = promisify(execFile)(process.execPath, [vitest, "run"], {
    cwd: folder,
    env: { ...process.env, VITEST_POOL_ID: undefined, CI: "", ...nowhere, ...env },
  });
  const { code, stdout } = await result.then(
    (output) => ({ code: 0, stdout: output.stdout }),
    (error: { code: number; stdout: string }) => error,
  );
  return { code, lines: stdout.trimEnd().split("\n").slice(-2) };
}

it("skips browser tests without Chromium and says what to install", async () => {
  expect(await run({})).toEqual({
    code: 0,
    lines: [expect.stringContaining("apt install chromium"), "1 passed, 0 failed, 2 skipped"],
  });
});

it("fails without Chromium in continuous integration, but runs the other tests", async () => {
  const { code, lines } = await run({ CI: "true" });
  expect(lines.at(-1)).toBe("1 passed, 0 failed, 2 skipped");
  expect(code).toBe(1);
});
