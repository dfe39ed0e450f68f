import type { AnyJobDefinition } from "#server/jobs/queue.ts";

/**
 * Makes a job wait for the gate before it starts. If it is stopped while waiting, it runs again
 * later.
 */
export function holdJob(definition: AnyJobDefinition, gate: Promise<void>): AnyJobDefinition {
  return {
    ...definition,
    async run(data, context) {
      const { signal } = context;
      const stopped = new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        else signal.addEventListener("abort", () => resolve(), { once: true });
      });
      await Promise.race([gate, stopped]);
      signal.throwIfAborted();
      await definition.run(data, context);
    },
  };
}
