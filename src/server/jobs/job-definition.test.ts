import { expect, it, vi } from "vitest";
import { z } from "zod";
import { defineJob, heldBack } from "./job-definition.ts";

const makeJob = () => {
  const run = vi.fn(async () => {});
  const job = defineJob({
    name: "uploads.sweep",
    payload: z.object({ n: z.number() }),
    concurrency: 1,
    run,
  });
  return { job, run };
};

it("holds a job back until the gate opens", async () => {
  const { job, run } = makeJob();
  const gate = Promise.withResolvers<void>();
  const { signal } = new AbortController();
  const running = heldBack(job, gate.promise).run({ n: 1 }, { signal });
  await Promise.resolve();
  expect(run).not.toHaveBeenCalled();
  gate.resolve();
  await running;
  expect(run).toHaveBeenCalledWith({ n: 1 }, { signal });
});

it("gives a held job back when it is stopped", async () => {
  const { job, run } = makeJob();
  const stop = new AbortController();
  const never = new Promise<void>(() => {});
  const running = heldBack(job, never).run({ n: 1 }, { signal: stop.signal });
  stop.abort();
  await expect(running).rejects.toThrow();
  expect(run).not.toHaveBeenCalled();
});
