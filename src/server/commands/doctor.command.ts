import { join } from "node:path";
import {
  checkAddresses,
  checkDatabase,
  checkMedia,
  checkRunning,
  checkStorage,
} from "../doctor/checks.ts";
import { failure, renderFinding, type Finding } from "../doctor/finding.ts";
import { readServerState } from "../doctor/server-state.repository.ts";
import { createLogger } from "../lib/logger.ts";
import { createMedia } from "../media/media.ts";
import { say } from "../processes/say.ts";
import { UsageError, withDatabase, type Command } from "./command.ts";

/** Looks at everything that an operator can get wrong, and says what to do. */
export const doctor: Command = async (config, args) => {
  if (args.length > 0) throw new UsageError("doctor takes no arguments.");
  const media = async () => {
    const { report } = await createMedia({
      logger: createLogger("error"),
      env: {
        ...(config.ffmpegPath === null ? {} : { FFMPEG_PATH: config.ffmpegPath }),
        ...(config.ffprobePath === null ? {} : { FFPROBE_PATH: config.ffprobePath }),
        PATH: process.env["PATH"] ?? "",
      },
      workRoot: join(config.dataDir, "media-work"),
    });
    return checkMedia(report);
  };
  const database = () =>
    withDatabase(config, { isMigrated: true, maxConnections: 1 }, async ({ db }) => {
      const state = await readServerState(db);
      return [...checkDatabase(state, config), ...checkAddresses(config, state.siteUrl)];
    });

  const checks: [about: string, check: () => Promise<Finding[]>][] = [
    ["database", database],
    ["storage", () => checkStorage(config)],
    ["media tools", media],
    ["site", () => checkRunning(config)],
  ];
  for (const [about, check] of checks) {
    const findings = await check().catch((error: unknown) => {
      const says = error instanceof Error ? error.message : String(error);
      return [failure(about, says, "Nothing works until this is right.")];
    });
    for (const finding of findings) {
      say(renderFinding(finding));
      if (finding.state === "failure") process.exitCode = 1;
    }
  }
};
