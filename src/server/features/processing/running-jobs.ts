import { concerns, videoTag, type Changes } from "../../db/change-tags.ts";
import type { ProcessingStateService } from "../library/processing-state/processing-state.service.ts";

/** The videos that this process works on, so that the removal of one ends its work at once. */
export interface RunningJobs {
  /** Runs work with a signal that also fires when the video is removed. */
  run(
    videoId: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<void>,
  ): Promise<void>;
  /** How many jobs of this process work on a video. */
  count(videoId: string): number;
  onChange(changes: Changes): void;
}

export function createRunningJobs(state: Pick<ProcessingStateService, "find">): RunningJobs {
  const running = new Map<AbortController, string>();

  async function endIfRemoved(removal: AbortController, videoId: string): Promise<void> {
    if ((await state.find(videoId)) === null) removal.abort(new Error("the video was removed"));
  }

  return {
    async run(videoId, signal, work) {
      const removal = new AbortController();
      running.set(removal, videoId);
      try {
        await work(AbortSignal.any([signal, removal.signal]));
      } finally {
        running.delete(removal);
      }
    },

    count: (videoId) => [...running.values()].filter((each) => each === videoId).length,

    onChange(changes) {
      for (const [removal, videoId] of running) {
        if (!concerns(changes, videoTag(videoId))) continue;
        // Without a database the next event tells.
        endIfRemoved(removal, videoId).catch(() => undefined);
      }
    },
  };
}
