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

test("counts what passed, failed and was skipped", () => {
  const text = report({
    numPassedTests: 7,
    numFailedTests: 2,
    numPendingTests: 1,
    numTodoTests: 1,
  });
  expect(readTotals(text, 1)).toEqual({ passed: 7, failed: 2, skipped: 2 });
});

test("a file that could not be loaded is a failure", () => {
  const text = report({ numPassedTests: 3 }, [{ status: "failed", assertionResults: [] }]);
  expect(readTotals(text, 1)).toEqual({ passed: 3, failed: 1, skipped: 0 });
});

test("a run that failed without a failed test does not read as success", () => {
  expect(readTotals(report({ numPassedTests: 3 }), 1).failed).toBe(1);
  expect(readTotals(null, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  expect(readTotals("{broken", 0).failed).toBe(1);
});
