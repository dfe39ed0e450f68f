import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/longest-first.ts";

/** Two kinds of tests: beside the source, and journeys of a person through a real browser. */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: "unit",
          include: ["{src,setup,test,bench}/**/*.test.{ts,tsx}"],
          globalSetup: ["test/database-setup.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          restoreMocks: true,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["e2e/**/*.e2e.ts"],
          globalSetup: ["test/database-setup.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // On a busy machine a browser now and then misses a moment; what is broken fails twice.
          retry: 1,
        },
      },
    ],
  },
});
