import { join } from "node:path";
import { examine } from "../doctor/examine.ts";
import { renderFinding } from "../doctor/finding.ts";
import { readServerState } from "../doctor/server-state.repository.ts";
import { createLogger } from "../lib/logger.ts";
import { createMedia } from "../media/media.ts";
import { say } from "../processes/say.ts";
import { UsageError, withDatabase, type Command } from "./command.ts";

/** Looks at everything that an operator can get wrong, and says what to do. */
export const doctor: Command = async (config, args) => {
  if (args.length > 0) throw new UsageError("doctor takes no arguments.");
  const findMedia = async () => {
    const { report } = await createMedia({
      logger: createLogger("error"),
      env: {
        ...(config.ffmpegPath === null ? {} : { FFMPEG_PATH: config.ffmpegPath }),
        ...(config.ffprobePath === null ? {} : { FFPROBE_PATH: config.ffprobePath }),
        PATH: process.env["PATH"] ?? "",
      },
      workRoot: join(config.dataDir, "media-work"),
    });
    return report;
  };
  const readState = () =>
    withDatabase(config, { isMigrated: true, maxConnections: 1 }, ({ db }) => readServerState(db));

  const surroundings = { config, now: new Date(), readState, findMedia, request: null };
  for await (const finding of examine(surroundings)) {
    say(renderFinding(finding));
    if (finding.state === "failure") process.exitCode = 1;
  }
};
