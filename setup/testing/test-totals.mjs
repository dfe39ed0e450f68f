/**
 * Returns the totals of one run of Vitest.
 * @param reportText its JSON report, or null if it wrote none.
 * @param exitCode exit code of the run. A run may fail without a failed test (an error between
 * tests, or a file that can't be loaded), and that must not count as success.
 */
export function readTotals(reportText, exitCode) {
  const report = reportText === null ? null : tryParse(reportText);
  if (report === null) return { passed: 0, failed: 1, skipped: 0 };
  const failedFiles = report.testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.every(hasNotFailed),
  );
  const failed = report.numFailedTests + failedFiles.length;
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

function hasNotFailed(result) {
  return result.status !== "failed";
}

function tryParse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
