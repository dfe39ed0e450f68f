import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { Finding } from "#contract/site/doctor.ts";
import type { Config } from "#server/config.ts";
import type { Media } from "#server/media/media.ts";
import { checkAddresses, checkPort, type SeenRequest } from "./check-addresses.ts";
import {
  checkVersions,
  checkBackups,
  checkDatabase,
  checkLabels,
  checkMedia,
  checkReview,
  checkStorage,
  checkVideos,
  checkMail,
} from "./checks.ts";
import { failure, ok } from "./finding.ts";
import type { ServerState } from "./server-state.repository.ts";

interface Surroundings {
  config: Config;
  now: Date;
  readState: () => Promise<ServerState>;
  /** Rejects if the storage doesn't respond or belongs to another site. */
  checkFiles: () => Promise<void>;
  findMedia: () => Promise<Media["report"]>;
  /** Checks the newest videos for truncated files. */
  findDamaged: () => Promise<Parameters<typeof checkVideos>[0]>;
  /** Current request; null on the command line. */
  request: SeenRequest | null;
}

const packageFile = new URL("../../../package.json", import.meta.url);

async function readVersion(): Promise<string> {
  return z.object({ version: z.string() }).parse(JSON.parse(await readFile(packageFile, "utf8")))
    .version;
}

/** If an admin has opened the page in the back office, the port responds. */
const isReached = async ({ port }: Config) => [ok("port", `the site responds on port ${port}`)];

/** Runs all checks one after another. If a check can't run, reports that, too. */
export async function* examine(deps: Surroundings): AsyncGenerator<Finding> {
  const { config, now, readState, checkFiles, findMedia, findDamaged, request } = deps;
  const database = async () => {
    const state = await readState();
    const versions = {
      kinora: await readVersion(),
      node: process.versions.node,
      postgres: state.version,
    };
    return [
      ...checkDatabase(state, config),
      checkVersions(versions, now),
      checkLabels(state),
      checkReview(state),
      checkBackups(state.lastBackupAt, now),
      ...(await checkAddresses(config, state.siteUrl, request)),
    ];
  };
  const checks: [about: Parameters<typeof failure>[0], check: () => Promise<Finding[]>][] = [
    ["database", database],
    ["storage", () => checkFiles().then(() => checkStorage(config))],
    ["videos", async () => [checkVideos(await findDamaged())]],
    ["mail", async () => [await checkMail(config)]],
    ["ffmpeg", async () => checkMedia(await findMedia(), now)],
    ["port", () => (request === null ? checkPort(config) : isReached(config))],
  ];
  for (const [about, check] of checks) {
    try {
      yield* await check();
    } catch (error) {
      const says = error instanceof Error ? error.message : String(error);
      yield failure(about, says, "Fix this first.");
    }
  }
}
