export const systemMessages = {
  title: "System check",
  loadFailed: "Failed to check the system",
  again: "Check again",
  checking: "Checking...",
  good: "Nothing to do",
  todo: (count: number) => (count === 1 ? "1 thing to do" : `${count} things to do`),
  at: (time: string, host: string) => `checked at ${time} on ${host}`,
  passed: "In order",
  states: { ok: "In order", warning: "Warning", failure: "Failure" },
} as const;
