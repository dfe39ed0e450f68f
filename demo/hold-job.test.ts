import { expect, it, vi } from "vitest";
import { z } from "zod";
import { defineJob } from "#server/jobs/queue.ts";
import { holdJob } from "./hold-job.ts";

const createJob = () => {
  const run = vi.fn(async () => {});
  const payload = z.object({ n: z.number() });
  return { job: defineJob({ name: "video.finish", payload, concurrency: 1, run }), run };
};

it("starts a job when the gate opens", async () => {
  const { job, run } = createJob();
  const gate = Promise.withResolvers<void>();
  const { signal } = new AbortController();
  const running = holdJob(job, gate.promise).run({ n: 1 }, { signal });
  await Promise.resolve();
  expect(run).not.toHaveBeenCalled();
  gate.resolve();
  await running;
  expect(run).toHaveBeenCalledWith({ n: 1 }, { signal });
});

it("rejects without starting the job when it is stopped while it waits", async () => {
  const { job, run } = createJob();
  const stop = new AbortController();
  const closedGate = new Promise<void>(() => {});
  const running = holdJob(job, closedGate).run({ n: 1 }, { signal: stop.signal });
  stop.abort();
  await expect(running).rejects.toThrow();
  expect(run).not.toHaveBeenCalled();
});
