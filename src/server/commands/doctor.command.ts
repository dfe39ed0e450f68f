import { join } from "node:path";
import type { Config } from "#server/config.ts";
import { examine } from "#server/doctor/examine.ts";
import { renderFinding } from "#server/doctor/finding.ts";
import { readServerState } from "#server/doctor/server-state.repository.ts";
import { createLogger } from "#server/lib/logger.ts";
import { listApplied, migrations } from "#server/db/migrate.ts";
import { openCurrentStorage } from "#server/open-storage.ts";
import { createMedia } from "#server/media/media.ts";
import { say } from "#server/processes/say.ts";
import { checkNewestVideos } from "#server/features/videos/files/damaged-videos.ts";
import { withDatabase, type Command } from "./command.ts";

/** Checks everything that an operator can misconfigure, and gives advice. */
export const doctor: Command = {
  name: "npm run doctor",
  summary: "Checks the installation and gives advice. The exit code is 1 after a failure.",
  examples: ["npm run doctor"],
  run: examineSite,
};

async function examineSite(config: Config): Promise<"failed" | void> {
  const findMedia = async () => {
    const { report } = await createMedia({
      logger: createLogger("error"),
      env: {
        ...(config.ffmpegPath === null ? {} : { FFMPEG_PATH: config.ffmpegPath }),
        ...(config.ffprobePath === null ? {} : { FFPROBE_PATH: config.ffprobePath }),
        PATH: process.env["PATH"] ?? "",
      },
      workRoot: join(config.dataDir, "media-work"),
      scratchRoot: join(config.dataDir, "storage", "scratch"),
    });
    return report;
  };
  const readState = () =>
    withDatabase(config, { isMigrated: true, maxConnections: 1 }, ({ db }) => readServerState(db));

  const checkFiles = () =>
    withDatabase(config, { isMigrated: true, maxConnections: 1 }, async ({ db }) => {
      const applied = await listApplied(db);
      // The first start decides where media are stored.
      if (Object.keys(migrations).some((name) => !applied.includes(name))) return;
      await (await openCurrentStorage(config, db)).checkHealth();
    });

  const findDamaged = () =>
    withDatabase(config, { isMigrated: true, maxConnections: 1 }, async ({ db }) => {
      const { migrations: applied } = await readServerState(db);
      if (Object.keys(migrations).some((name) => !applied.includes(name))) {
        return { checked: 0, damaged: [] };
      }
      return checkNewestVideos(db, await openCurrentStorage(config, db));
    });

  const now = new Date();
  const surroundings = {
    config,
    now,
    readState,
    checkFiles,
    findMedia,
    findDamaged,
    request: null,
  };
  let hasFailure = false;
  for await (const finding of examine(surroundings)) {
    say(renderFinding(finding));
    hasFailure ||= finding.state === "failure";
  }
  if (hasFailure) return "failed";
}
