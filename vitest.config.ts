import { defineConfig } from "vitest/config";
import { inlineScripts } from "./setup/inline-scripts.ts";
import { LongestFirst } from "./test/longest-first.ts";

/** Tests that take more than about ten seconds are named `*.long.test.ts`. */
const longTests = "{src,setup,test,bench,demo}/**/*.long.test.ts";

/** `unit` is quick, `long` encodes videos and fills large databases, `e2e` drives a browser. */
export default defineConfig({
  test: {
    globalSetup: ["test/database-setup.ts"],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins: [inlineScripts()],
        test: {
          name: "unit",
          include: ["{src,setup,test,bench,demo}/**/*.test.{ts,tsx}"],
          exclude: [longTests],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          restoreMocks: true,
        },
      },
      {
        test: {
          name: "long",
          include: [longTests],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          restoreMocks: true,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["e2e/**/*.e2e.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Files of one worker share its modules and browsers.
          isolate: false,
          expect: { poll: { timeout: 10_000 } },
        },
      },
    ],
  },
});
