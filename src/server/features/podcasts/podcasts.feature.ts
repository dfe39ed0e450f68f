import { z } from "zod";
import { concerns } from "#server/db/change-tags.ts";
import type { Feature } from "#server/http/app.ts";
import { defineJob, type JobQueue } from "#server/jobs/queue.ts";
import { warnLimited } from "#server/lib/logger.ts";
import { createPodcasts, type Podcasts } from "./podcasts.service.ts";

/** Makes the files of podcasts: the feeds of the site and of labels that are switched on. */
export function createPodcastsFeature(
  deps: Parameters<typeof createPodcasts>[0] & { queue: JobQueue },
): Feature & { podcasts: Podcasts } {
  const podcasts = createPodcasts(deps);

  async function request(): Promise<void> {
    if (!(await podcasts.hasPodcasts())) return;
    await deps.queue.enqueue(deps.db, "podcast.files", {}, { key: "changed" });
  }

  return {
    podcasts,
    jobs: [
      defineJob({
        name: "podcast.files",
        payload: z.object({}),
        concurrency: 1,
        schedule: { cron: "*/10 * * * *", runsAtStart: true },
        run: (_payload, { signal }) => podcasts.makeFiles(signal),
      }),
    ],
    invalidate(changes) {
      const isAffected = (["labels", "settings", "videos"] as const).some((tag) =>
        concerns(changes, tag),
      );
      if (!isAffected) return;
      request().catch((error: unknown) =>
        warnLimited(deps.logger, "podcasts", { err: error }, "couldn't queue files of podcasts"),
      );
    },
  };
}
