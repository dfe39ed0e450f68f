import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { inlineScripts } from "./setup/inline-scripts.ts";
import { pageTexts } from "./setup/page-texts.ts";
import { patienceMs } from "./test/patience.ts";
import { TotalReporter } from "./test/total-reporter.ts";

const folders = "{src,setup,test,bench,demo}";

// The tiers. `npm test` runs quick and smoke tests, `npm run test:rest` long, browser and engine
// tests. Each file belongs to the first project that lists it.

/** Tests that take more than about five seconds are named `*.long.test.ts`. */
const longTests = [`${folders}/**/*.long.test.ts`];
/** Tests without a time limit: more fuzzing, the whole player matrix, large catalogues. */
const nightlyTests = [`${folders}/**/*.nightly.test.ts`];
const nightlyBrowserTests = ["e2e/nightly/**/*.e2e.ts"];
const engineTests = ["e2e/engines/**/*.e2e.ts"];
/** One short test per subject. */
const smokeTests = ["e2e/smoke/**/*.e2e.ts"];
/** Processing a video, reading its streams, the playable copy and the embedded database. */
const smokeLongTests = [
  "src/server/media/pipeline/process-video.long.test.ts",
  "src/server/media/probe/probe.long.test.ts",
  "src/server/media/pipeline/playable.step.long.test.ts",
  "src/server/db/engine/engine.long.test.ts",
];
const quickTests = globSync(`${folders}/**/*.test.{ts,tsx}`, {
  cwd: import.meta.dirname,
  exclude: [...longTests, ...nightlyTests],
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

/** Files of one worker share its modules. */
const common = {
  maxWorkers: workers,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // Only failing tests reach this time-out.
  expect: { poll: { timeout: 30_000 } },
  restoreMocks: true,
  isolate: false,
};
const long = { ...common, testTimeout: 900_000, hookTimeout: 900_000 };
const browser = {
  ...common,
  globalSetup: ["setup/testing/browser-setup.mjs"],
  runner: "./test/browser-runner.ts",
  setupFiles: ["e2e/support/failed-test-setup.ts"],
  // A test in a browser spends about half of its time on videos that play and on timers.
  maxWorkers: workers * 2,
  // Vitest requires a separate group for a different number of workers.
  sequence: { groupOrder: 1 },
  testTimeout: 5 * patienceMs,
  hookTimeout: 5 * patienceMs,
  expect: { poll: { timeout: patienceMs } },
  restoreMocks: false,
};
const cluster = {
  ...common,
  sequence: { groupOrder: 3 },
  // Many processes start, on a machine that may be busy.
  testTimeout: 1_200_000,
  hookTimeout: 600_000,
};

const projects = [
  {
    ...common,
    name: "unit",
    include: quickTests.filter((file) => !replacesModules(file) && !needsDocument(file)),
    setupFiles: ["test/clean-globals.ts"],
  },
  {
    ...common,
    name: "unit-document",
    include: quickTests.filter((file) => !replacesModules(file) && needsDocument(file)),
    setupFiles: ["test/clean-globals.ts", "test/clean-document.ts"],
    // Modules of pages remember the visitor, the page and what was loaded.
    isolate: true,
  },
  {
    ...common,
    name: "unit-isolated",
    include: quickTests.filter(replacesModules),
    setupFiles: ["test/clean-document.ts"],
    isolate: true,
  },
  { ...long, name: "smoke-long", include: smokeLongTests },
  { ...browser, name: "smoke", include: smokeTests },
  {
    ...long,
    name: "long",
    include: longTests,
    exclude: smokeLongTests,
    // Some wait for time-outs of dead processes.
    maxWorkers: workers + 1,
    sequence: { groupOrder: 4 },
  },
  {
    ...browser,
    name: "e2e",
    include: ["e2e/**/*.e2e.ts"],
    exclude: [...smokeTests, ...engineTests, ...nightlyBrowserTests],
  },
  // Both decode video in software, so they run with nothing beside them.
  {
    ...browser,
    name: "engines",
    include: engineTests,
    maxWorkers: workers,
    sequence: { groupOrder: 2 },
  },
  // Several nodes, with proxies, poolers and storage.
  { ...cluster, name: "cluster", include: ["test/cluster/**/*.cluster.ts"] },
  { ...long, name: "nightly", include: nightlyTests },
  { ...browser, name: "nightly-browser", include: nightlyBrowserTests },
];

// All projects share one Vite server, because none has options of Vite itself.
export default defineConfig({
  plugins: [inlineScripts(), pageTexts(import.meta.dirname)],
  test: {
    globalSetup: ["test/database-setup.ts"],
    reporters: ["default", new TotalReporter()],
    projects: projects.map((test) => ({ test })),
  },
});
