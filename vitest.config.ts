import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { inlineScripts } from "./setup/inline-scripts.ts";
import { pageTexts } from "./setup/page-texts.ts";
import { LongestFirst } from "./test/longest-first.ts";
import { patienceMs } from "./test/patience.ts";

const folders = "{src,setup,test,bench,demo}";

/** Tests that take more than about five seconds are named `*.long.test.ts`. */
const longTests = `${folders}/**/*.long.test.ts`;
const quickTests = globSync(`${folders}/**/*.test.{ts,tsx}`, {
  cwd: import.meta.dirname,
  exclude: [longTests],
});

/** Files that replace modules for themselves cannot share them with others. */
const replacesModules = (file: string) =>
  readFileSync(new URL(file, import.meta.url), "utf8").includes("vi.mock(");
const needsDocument = (file: string) =>
  readFileSync(new URL(file, import.meta.url), "utf8").startsWith(
    "// @vitest-environment happy-dom",
  );

// ffmpeg and PostgreSQL run beside the test processes: more workers would only wait.
const workers = Math.max(2, Math.floor(availableParallelism() / 2));
// A test in a browser spends about half of its time on videos that play and on timers.
const browserWorkers = Math.ceil(workers * 1.5);

const plugins = [inlineScripts(), pageTexts(import.meta.dirname)];

/** Long time-out for `expect.poll`, because only failing tests reach it. */
const patient = { poll: { timeout: 30_000 } };

const quick = {
  maxWorkers: workers,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: patient,
  restoreMocks: true,
};

/**
 * `unit` is quick, `long` encodes videos and fills large databases, `e2e` drives a browser,
 * `cluster` puts real servers around several processes. The files of one worker share its modules, except where they replace some.
 */
export default defineConfig({
  test: {
    globalSetup: ["test/database-setup.ts"],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins,
        test: {
          ...quick,
          name: "unit",
          include: quickTests.filter((file) => !replacesModules(file) && !needsDocument(file)),
          setupFiles: ["test/clean-globals.ts"],
          isolate: false,
        },
      },
      {
        plugins,
        test: {
          ...quick,
          name: "unit-document",
          include: quickTests.filter((file) => !replacesModules(file) && needsDocument(file)),
          setupFiles: ["test/clean-globals.ts", "test/clean-document.ts"],
          isolate: false,
        },
      },
      {
        plugins,
        test: {
          ...quick,
          name: "unit-isolated",
          include: quickTests.filter(replacesModules),
          setupFiles: ["test/clean-document.ts"],
        },
      },
      {
        plugins,
        test: {
          name: "long",
          include: [longTests],
          maxWorkers: workers,
          testTimeout: 900_000,
          hookTimeout: 900_000,
          expect: patient,
          restoreMocks: true,
          isolate: false,
        },
      },
      {
        plugins,
        test: {
          // `npm run test:cluster`: the processes of several machines, with proxies, poolers and
          // storage.
          name: "cluster",
          include: ["test/cluster/**/*.cluster.ts"],
          // The tests mostly wait for processes that start, stop or reconnect.
          maxWorkers: workers,
          sequence: { groupOrder: 2 },
          // Many processes start, on a machine that may be busy.
          testTimeout: 600_000,
          hookTimeout: 600_000,
          expect: patient,
          restoreMocks: true,
          isolate: false,
        },
      },
      {
        plugins,
        test: {
          name: "e2e",
          include: ["e2e/**/*.e2e.ts"],
          maxWorkers: browserWorkers,
          // Vitest requires a separate group for a different number of workers.
          sequence: { groupOrder: 1 },
          testTimeout: 5 * patienceMs,
          hookTimeout: 5 * patienceMs,
          // Files of one worker share its modules and browsers.
          isolate: false,
          expect: { poll: { timeout: patienceMs } },
        },
      },
    ],
  },
});
