import { describeRenewals } from "#contract/videos/renewal-words.ts";
import type { Config } from "#server/config.ts";
import type { Db } from "#server/db/connection.ts";
import { findDamagedVideos } from "#server/features/videos/files/damaged-videos.ts";
import {
  chooseVideos,
  planLibrary,
  renewLibrary,
  stopRenewals,
} from "#server/features/videos/replacements/renew-library.ts";
import { createJobQueue } from "#server/jobs/queue.ts";
import { openCurrentStorage } from "#server/open-storage.ts";
import { createLogger } from "#server/lib/logger.ts";
import { OperatorError } from "#server/lib/operator-error.ts";
import { say } from "#server/processes/say.ts";
import { commandLine, UsageError, withDatabase, type Command } from "./command.ts";

/**
 * Reprocesses all videos, the given ones or, with `--damaged`, those with truncated files:
 * `[VIDEO...] [--damaged] [--dry-run]`, or `--stop`. If the command is interrupted, queued videos
 * stay queued, and the next run skips them.
 */
export const reprocess: Command = async (config, args) => {
  const options = new Set(args.filter((arg) => arg.startsWith("--")));
  const names = args.filter((arg) => !arg.startsWith("--"));
  const isKnown = [...options].every((option) => knownOptions.has(option));
  const isStop = options.has("--stop");
  const isDamaged = options.has("--damaged");
  if (!isKnown || (isStop && args.length > 1) || (isDamaged && names.length > 0)) {
    throw new UsageError(
      "Specify one or more videos, or --damaged, optionally with --dry-run. Use --stop to cancel.",
    );
  }
  await withDatabase(config, { isMigrated: false, maxConnections: 4 }, async ({ db, target }) => {
    if (isStop) {
      const stopped = await stopRenewals(db);
      if (stopped === 0) throw new OperatorError("No video is queued for reprocessing.");
      say(`Stopped reprocessing ${stopped} videos. They keep their renditions.`);
      return;
    }
    const damaged = isDamaged ? await listDamaged(config, db) : null;
    if (damaged?.length === 0) return say("All renditions are complete.");
    const chosen = damaged ?? (await chooseVideos(db, names));
    say(describeRenewals(await planLibrary(db, chosen)));
    if (options.has("--dry-run")) return;
    const queue = await createJobQueue({ target, logger: createLogger("error"), isWorker: false });
    try {
      const count = await renewLibrary(db, queue, chosen, commandLine);
      say(`Queued ${count} videos. They keep playing, and new videos are processed first.`);
    } finally {
      await queue.stop(1000);
    }
  });
};

const knownOptions = new Set(["--damaged", "--dry-run", "--stop"]);

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
