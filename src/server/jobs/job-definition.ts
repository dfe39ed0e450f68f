import type { z } from "zod";

/** Every kind of job. The start fails where one has no handler. */
export const jobNames = [
  "video.publish",
  "video.encode",
  "video.encode-long",
  "video.finish",
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
  "ads.mail-reports",
] as const;
export type JobName = (typeof jobNames)[number];

/** A job stops when the signal fires, and runs again later. */
export interface JobContext {
  signal: AbortSignal;
}

/**
 * A kind of job: a name, what it carries (ids only) and what it does. Handlers are idempotent: a job
 * whose worker died runs again from the start. A handler decides itself what a failure means for
 * its subject; an error that it throws only says "run me again later".
 */
export interface JobDefinition<Payload> {
  name: JobName;
  payload: z.ZodType<Payload>;
  /** How many of them one process runs at once. */
  concurrency: number;
  /** Set for a job that repeats by itself. Its payload is empty. */
  schedule?: JobSchedule;
  run(payload: Payload, context: JobContext): Promise<void>;
}

interface JobSchedule {
  /** When the job repeats, once for the whole installation, as a cron expression. */
  cron: string;
  /** Also run once when a worker starts. */
  runsAtStart?: boolean;
}

/** A definition without its payload type, so that different kinds fit into one list. */
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
