import { describeReprocessing } from "#contract/videos/reprocessing-words.ts";
import type { Config } from "#server/config.ts";
import type { Db } from "#server/db/connection.ts";
import { findDamagedVideos } from "#server/features/videos/files/damaged-videos.ts";
import {
  chooseVideos,
  planLibrary,
  reprocessLibrary,
  stopReprocessing,
} from "#server/features/videos/replacements/reprocessing.service.ts";
import { createJobQueue } from "#server/jobs/queue.ts";
import { openCurrentStorage } from "#server/open-storage.ts";
import { UsageError } from "#server/lib/command-line.mjs";
import { createLogger } from "#server/lib/logger.ts";
import { OperatorError } from "#server/lib/app-error.ts";
import { say } from "#server/processes/say.ts";
import { commandLine, withDatabase, type Command } from "./command.ts";

/**
 * Reprocesses all videos, the given ones or those with truncated files. If the command is
 * interrupted, queued videos stay queued, and the next run skips them.
 */
export const reprocess: Command = {
  name: "npm run admin -- reprocess",
  summary: "Makes the renditions of all videos again, or those of the given slugs or IDs.",
  args: ["VIDEO..."],
  options: {
    damaged: { help: "only videos with truncated files" },
    "dry-run": { help: "only print what it takes" },
    stop: { help: "cancel queued videos" },
  },
  examples: [
    "npm run admin -- reprocess --dry-run",
    "npm run admin -- reprocess my-first-video",
    "npm run admin -- reprocess --stop",
  ],
  async run(config, { args: names, flags }) {
    const isStop = flags.has("stop");
    const isDamaged = flags.has("damaged");
    if (isStop && (names.length > 0 || flags.size > 1)) {
      throw new UsageError("--stop cancels all queued videos. Use it alone.");
    }
    if (isDamaged && names.length > 0) {
      throw new UsageError("--damaged checks all videos. Use it without names.");
    }
    await withDatabase(config, { isMigrated: false, maxConnections: 4 }, async ({ db, target }) => {
      if (isStop) {
        const stopped = await stopReprocessing(db);
        if (stopped === 0) throw new OperatorError("No video is queued for reprocessing.");
        say(`Stopped reprocessing ${stopped} videos. They keep their renditions.`);
        return;
      }
      const damaged = isDamaged ? await listDamaged(config, db) : null;
      if (damaged?.length === 0) return say("All renditions are complete.");
      const chosen = damaged ?? (await chooseVideos(db, names));
      say(describeReprocessing(await planLibrary(db, chosen)));
      if (flags.has("dry-run")) return;
      const logger = createLogger("error");
      const queue = await createJobQueue({ target, logger, isWorker: false });
      try {
        const count = await reprocessLibrary(db, queue, chosen, commandLine);
        say(`Queued ${count} videos. They keep playing, and new videos are processed first.`);
      } finally {
        await queue.stop(1000);
      }
    });
  },
};

/** Checks all videos and prints those with truncated files. @returns their ids */
async function listDamaged(config: Config, db: Db): Promise<string[]> {
  const ids: string[] = [];
  const storage = await openCurrentStorage(config, db);
  for await (const { damaged } of findDamagedVideos(db, storage)) {
    for (const { id, slug, problem } of damaged) {
      say(`${slug}: ${problem}`);
      ids.push(id);
    }
  }
  return ids;
}
