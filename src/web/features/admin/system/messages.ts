export const systemMessages = {
  title: "System check",
  loadFailed: "Failed to check the system",
  again: "Check again",
  checking: "Checking...",
  good: "Everything looks good",
  todo: (count: number) => (count === 1 ? "1 issue to fix" : `${count} issues to fix`),
  at: (time: string, host: string) => `checked on ${time} (${host})`,
  passed: "Passed",
  states: { ok: "OK", warning: "Warning", failure: "Failure" },
} as const;
