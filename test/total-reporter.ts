import { appendFileSync } from "node:fs";
import type { Reporter, SerializedError, TestModule, Vitest } from "vitest/node";

/** Ends the output with notes for the reader and one line that counts the tests. */
export class TotalReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      const tests = [...module.children.allTests()].map((test) => test.result().state);
      for (const state of tests) counts[state === "pending" ? "skipped" : state] += 1;
      // A file that can't be loaded, or a hook that failed.
      if (module.state() === "failed" && !tests.includes("failed")) counts.failed += 1;
    }
    // No file matches, or the set-up of the run failed.
    if (modules.length === 0 && errors.length === 0) counts.failed = 1;
    const { passed, failed, skipped } = counts;
    if (passed + failed === 0 && this.#vitest?.config.testNamePattern !== undefined) {
      process.stderr.write("No test has a name that matches.\n");
      process.exitCode = 1;
    }
    const notes = process.env["TEST_NOTES"];
    const total = `${passed} passed, ${failed} failed, ${skipped} skipped`;
    process.stdout.write(`\n${notes === undefined ? "" : `${notes}\n`}${total}\n`);
    // Continuous integration adds up several runs.
    const totals = process.env["TEST_TOTALS"];
    if (totals !== undefined) appendFileSync(totals, `${total}\n`);
  }
}
