import type { Tracing } from "#server/lib/tracing/tracing.ts";
import type { AnyJobDefinition } from "./job-definition.ts";

/** Wraps a job with a span around each run. */
export const traceJob =
  (tracing: Tracing) =>
  (job: AnyJobDefinition): AnyJobDefinition => ({
    ...job,
    run: (data, context) =>
      tracing.run(
        { name: job.name, kind: "consumer", attributes: { "kinora.job": job.name } },
        () => job.run(data, context),
      ),
  });
