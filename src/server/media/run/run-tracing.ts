import { basename } from "node:path";
import type { Tracing } from "#server/lib/tracing/tracing.ts";
import type { ProcessRunner } from "./run-process.ts";

/** Wraps the runner with a trace span for each run of a media tool. */
export const traceRuns = (tracing: Tracing, runner: ProcessRunner): ProcessRunner => ({
  run(request) {
    const name = basename(request.program);
    const attributes = { "process.executable.name": name };
    return tracing.run({ name, kind: "internal", attributes }, () => runner.run(request));
  },
});
