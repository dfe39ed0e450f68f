import type { z } from "zod";

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
  "ranking.upkeep",
  "search.upkeep",
  "tallies.upkeep",
  "history.upkeep",
  "related.choose",
  "media.withdraw",
  "uploads.sweep",
  "bulk.run",
  "import.run",
  "library.publish-scheduled",
  "library.empty-trash",
  "account.send-reset",
  "account.notify-owners",
  "moderation.ask-sender",
  "moderation.tell-sender",
  "privacy.delete-outdated",
  "webhooks.deliver",
] as const;
export type JobName = (typeof jobNames)[number];

/** Context of a job, which stops when the signal fires and runs again later. */
export interface JobContext {
  signal: AbortSignal;
}

/**
 * Kind of job: a name, its payload (ids only) and its work. Handlers are idempotent: a job whose
 * worker died starts over. A handler itself handles failures of its subject. An error it throws
 * only means "run me again later".
 */
export interface JobDefinition<Payload> {
  name: JobName;
  payload: z.ZodType<Payload>;
  /** Number of concurrent jobs per process. */
  concurrency: number;
  /** Set for a job that repeats by itself, whose payload is empty. */
  schedule?: JobSchedule;
  run(payload: Payload, context: JobContext): Promise<void>;
}

interface JobSchedule {
  /** Time at which the job repeats, once per installation, as a cron expression. */
  cron: string;
  /** True to also run once when a worker starts. */
  runsAtStart?: boolean;
}

/** Definition without its payload type, so that different kinds fit into one list. */
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
