import type { z } from "zod";
import type { Tracing } from "#server/lib/tracing/tracing.ts";

/** All kinds of jobs. The start fails if one has no handler. */
export const jobNames = [
  "video.publish",
  "video.encode",
  "video.encode-long",
  "video.finish",
  "video.large",
  "video.captions",
  "video.efficient",
  "video.drop-original",
  "captions.index",
  "maintenance.sweep",
  "processing.requeue",
  "ranking.upkeep",
  "search.upkeep",
  "tallies.upkeep",
  "history.upkeep",
  "related.choose",
  "media.withdraw",
  "media.review",
  "podcast.files",
  "uploads.sweep",
  "bulk.run",
  "import.run",
  "library.publish-scheduled",
  "library.empty-trash",
  "account.delete-expired",
  "account.send-reset",
  "account.notify-owners",
  "moderation.ask-sender",
  "moderation.tell-sender",
  "privacy.delete-outdated",
  "webhooks.deliver",
] as const;
export type JobName = (typeof jobNames)[number];

/** Context of a job. When the signal fires, the job stops and runs again later. */
export interface JobContext {
  signal: AbortSignal;
}

/**
 * Kind of job: a name, its payload (ids only) and its handler. Handlers are idempotent, because a
 * job starts over if its worker dies. Handlers deal with failures of their subject themselves. An
 * error they throw only means "run me again later".
 */
export interface JobDefinition<Payload> {
  name: JobName;
  payload: z.ZodType<Payload>;
  /** Number of concurrent jobs per process. */
  concurrency: number;
  /** Set only for a job that repeats by itself. The payload of such a job is empty. */
  schedule?: JobSchedule;
  run(payload: Payload, context: JobContext): Promise<void>;
}

interface JobSchedule {
  /** Cron expression for when the job repeats, once per installation. */
  cron: string;
  /** True to also run once when a worker starts. */
  runsAtStart?: boolean;
}

/** Definition without its payload type, so that a list can contain different kinds. */
export interface AnyJobDefinition {
  name: JobName;
  concurrency: number;
  schedule?: JobSchedule;
  run(data: unknown, context: JobContext): Promise<void>;
}

export function defineJob<Payload>(definition: JobDefinition<Payload>): AnyJobDefinition {
  return {
    name: definition.name,
    concurrency: definition.concurrency,
    ...(definition.schedule === undefined ? {} : { schedule: definition.schedule }),
    run: (data, context) => definition.run(definition.payload.parse(data), context),
  };
}

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
