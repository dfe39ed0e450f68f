import { concerns, videoTag, type Changes } from "#server/db/change-tags.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { ProcessedVideo } from "#server/features/videos/processing-state/processed-video.ts";
import type { ProcessingStateService } from "#server/features/videos/processing-state/processing-state.service.ts";

/** Maximum hours of a run. The queue starts a job over after 24 hours without counting a failure. */
const maxRunH = 23;

/**
 * Tracks which videos this process works on, so that removing a video ends the work on it at once.
 */
export function createRunningJobs(state: ProcessingStateService) {
  const running = new Map<AbortController, ProcessedVideo>();

  let started = 0;

  async function endIfRemoved(removal: AbortController, id: string): Promise<void> {
    if ((await state.find(id)) === null) removal.abort(new Error("the video was removed"));
  }

  return {
    /**
     * Runs work with a signal that also fires when the video or its new file is removed.
     * @throws AppError unusable_video if the work takes too long.
     */
    async run(
      video: ProcessedVideo,
      signal: AbortSignal,
      work: (signal: AbortSignal) => Promise<void>,
    ): Promise<void> {
      const removal = new AbortController();
      const limit = AbortSignal.timeout(maxRunH * 3600 * 1000);
      running.set(removal, video);
      started += 1;
      try {
        await work(AbortSignal.any([signal, removal.signal, limit]));
      } catch (error) {
        if (!limit.aborted || signal.aborted) throw error;
        throw new AppError("unusable_video", `Processing took more than ${maxRunH} hours.`);
      } finally {
        running.delete(removal);
      }
    },

    /**
     * Starts watching for other jobs in this process.
     * @returns a function that returns whether at most one job has run since then.
     */
    watch(): () => boolean {
      const [before, others] = [started, running.size];
      return () => others === 0 && started <= before + 1;
    },

    onChange(changes: Changes): void {
      for (const [removal, { id, videoId }] of running) {
        if (!concerns(changes, videoTag(videoId))) continue;
        // If the database is unreachable, the next event ends the job.
        endIfRemoved(removal, id).catch(() => undefined);
      }
    },
  };
}

export type RunningJobs = ReturnType<typeof createRunningJobs>;
