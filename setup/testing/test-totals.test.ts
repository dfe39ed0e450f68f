import { expect, test } from "vitest";
import { readTotals } from "./test-totals.mjs";

const report = (numbers: object, testResults: object[] = []) =>
  JSON.stringify({
    numPassedTests: 0,
    numFailedTests: 0,
    numPendingTests: 0,
    numTodoTests: 0,
    testResults,
    ...numbers,
  });

test("counts passed, failed and skipped tests", () => {
  const text = report({
    numPassedTests: 7,
    numFailedTests: 2,
    numPendingTests: 1,
    numTodoTests: 1,
  });
  expect(readTotals(text, 1)).toEqual({ passed: 7, failed: 2, skipped: 2 });
});

test("counts a file that failed to load as a failure", () => {
  const text = report({ numPassedTests: 3 }, [{ status: "failed", assertionResults: [] }]);
  expect(readTotals(text, 1)).toEqual({ passed: 3, failed: 1, skipped: 0 });
});

test("reports a failure for a failed run without failed tests", () => {
  expect(readTotals(report({ numPassedTests: 3 }), 1).failed).toBe(1);
  expect(readTotals(null, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  expect(readTotals("{broken", 0).failed).toBe(1);
});
