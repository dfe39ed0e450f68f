import { describeRenewals } from "#contract/videos/renewal-words.ts";
import {
  chooseVideos,
  planLibrary,
  renewLibrary,
  stopRenewals,
} from "#server/features/videos/replacements/renew-library.ts";
import { createJobQueue } from "#server/jobs/queue.ts";
import { createLogger } from "#server/lib/logger.ts";
import { say } from "#server/processes/say.ts";
import { commandLine, UsageError, withDatabase, type Command } from "./command.ts";

/**
 * Renditions of all videos, or of those that are named, are made again: `[VIDEO...] [--dry-run]`, or
 * `--stop`. What is queued stays queued if this is cut, and is skipped the next time.
 */
export const reprocess: Command = async (config, args) => {
  const [option, ...more] = args.filter((arg) => arg.startsWith("--"));
  const names = args.filter((arg) => !arg.startsWith("--"));
  const isKnown = option === undefined || option === "--dry-run" || option === "--stop";
  if (!isKnown || more.length > 0 || (option === "--stop" && names.length > 0)) {
    throw new UsageError("reprocess takes videos and --dry-run, or --stop.");
  }
  await withDatabase(config, { isMigrated: false, maxConnections: 4 }, async ({ db, target }) => {
    if (option === "--stop") {
      say(`Stopped for ${await stopRenewals(db)} videos, which keep their renditions.`);
      return;
    }
    const chosen = await chooseVideos(db, names);
    say(describeRenewals(await planLibrary(db, chosen)));
    if (option === "--dry-run") return;
    const queue = await createJobQueue({ target, logger: createLogger("error"), isWorker: false });
    try {
      const count = await renewLibrary(db, queue, chosen, commandLine);
      say(`Queued ${count} videos. They play meanwhile, and what is new goes first.`);
    } finally {
      await queue.stop(1000);
    }
  });
};
