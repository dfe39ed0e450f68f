import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { Finding } from "#contract/site/doctor.ts";
import type { Config } from "#server/config.ts";
import type { Media } from "#server/media/media.ts";
import { formatFileSize } from "#contract/videos/file-size.ts";
import { createdb } from "#server/db/check-server.ts";
import { formerNames, migrations } from "#server/db/migrate.ts";
import { machineConnections } from "#server/db/pool-size.ts";
import { ensureDataFolder } from "#server/lib/data-folder.ts";
import { readDiskSpace } from "#server/lib/disk-space.ts";
import { missingBwrap } from "#server/media/run/sandbox/sandbox.ts";
import { listOldTools } from "#server/media/tool-age.ts";
import type { DamagedVideo } from "#server/features/videos/files/damaged-videos.ts";
import { codeOf } from "#server/lib/app-error.ts";
import { verifyMailServer } from "#server/lib/mailer.ts";
import { checkAddresses, checkPort, type SeenRequest } from "./check-addresses.ts";
import { failure, ok, warning } from "./finding.ts";
import type { ServerState } from "./server-state.repository.ts";

/** Last month in which each major version gets fixes. Newer majors are missing. */
const nodeEnds: Record<string, string> = {
  20: "2026-04",
  22: "2027-04",
  24: "2028-04",
};
const postgresEnds: Record<string, string> = {
  15: "2027-11",
  16: "2028-11",
  17: "2029-11",
  18: "2030-11",
};
const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

/** Checks whether Node.js and PostgreSQL still receive fixes. */
export function checkVersions(
  versions: { kinora: string; node: string; postgres: string },
  now: Date,
): Finding {
  const { kinora, node, postgres } = versions;
  const says = `Kinora ${kinora}, Node.js ${node}, PostgreSQL ${postgres}`;
  const outdated = [
    ...(hasEnded(nodeEnds[majorVersion(node)], now) ? ["Node.js"] : []),
    ...(hasEnded(postgresEnds[majorVersion(postgres)], now) ? ["PostgreSQL"] : []),
  ];
  if (outdated.length === 0) return ok("versions", says);
  const advice = `Upgrade ${outdated.join(" and ")}: this version no longer gets fixes.`;
  return warning("versions", says, advice);
}

const majorVersion = (version: string): string => /^\d+/.exec(version)?.[0] ?? "";
const hasEnded = (month: string | undefined, now: Date): boolean =>
  month !== undefined && month < monthOf(now);

/** Connects to the mail server and signs in, without sending a message. */
export async function checkMail({ smtp, siteUrl }: Config): Promise<Finding> {
  if (smtp === null) return ok("mail", "SMTP_URL isn't set, and the site sends no email");
  const { host, protocol } = new URL(smtp.url);
  try {
    await verifyMailServer(smtp.url, siteUrl);
    return ok("mail", `${host} accepts this site`);
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    return failure("mail", `${host} can't be used (${reason})`, adviceOn(error, reason, protocol));
  }
}

function adviceOn(error: unknown, reason: string, protocol: string): string {
  if (codeOf(error) === "EAUTH") {
    return "Check the user and the password in SMTP_URL. Percent-encode special characters.";
  }
  if (/certificate|altnames/i.test(reason)) {
    return "Use the host name in the server's certificate, or set NODE_EXTRA_CA_CERTS to the file of its CA.";
  }
  if (/wrong version number|packet length too long/.test(reason)) {
    return "This port doesn't begin with TLS. Use smtp://, which changes to TLS by itself, or the port for smtps:// (465).";
  }
  if (/greeting never received/i.test(reason) && protocol === "smtp:") {
    return "The server sends no greeting. If this port begins with TLS (465), use smtps://.";
  }
  return "Check the host and the port in SMTP_URL, and the firewalls in between.";
}

const maxClockOffsetS = 2;
const minFreeShare = 0.1;
const maxBackupAgeDays = 7;
const shownDifferences = 5;

const list = (names: string[]) => names.join(", ");

export function checkDatabase(state: ServerState, { webProcesses }: Config): Finding[] {
  const missing = Object.keys(migrations).filter((name) => !state.migrations.includes(name));
  const foreign = state.migrations.filter(
    (name) => migrations[name] === undefined && !formerNames.has(name),
  );
  const differences = state.schemaDifferences ?? [];
  const needed = machineConnections(webProcesses);
  const offset = state.clockAheadS;
  return [
    ok("database", `PostgreSQL ${state.version} responds`),
    foreign.length > 0
      ? failure("schema", `changed by another version (${list(foreign)})`, "Start that version.")
      : missing.length > 0
        ? warning(
            "schema",
            `${missing.length} pending migrations`,
            "Run npm run migrate, or start the site.",
          )
        : differences.length > 0
          ? failure(
              "schema",
              `differs from this version's (${list(differences.slice(0, shownDifferences))}${differences.length > shownDifferences ? ` and ${differences.length - shownDifferences} more` : ""})`,
              "Make a backup, and restore it into a new DATA_DIR or database with a complete schema.",
            )
          : ok("schema", "up to date"),
    state.maxConnections < needed
      ? warning(
          "connections",
          `this machine opens up to ${needed}, but the server accepts ${state.maxConnections}`,
          "Raise max_connections, or lower WEB_PROCESSES.",
        )
      : ok("connections", `up to ${needed} of ${state.maxConnections}`),
    Math.abs(offset) > maxClockOffsetS
      ? warning(
          "clocks",
          `the database's clock is ${Math.abs(offset).toFixed(1)} s ${offset > 0 ? "ahead" : "behind"}`,
          "Synchronise the clocks of both machines with NTP.",
        )
      : ok("clocks", "this machine and the database agree"),
    checkCollation(state),
  ];
}

function checkCollation({ collation }: ServerState): Finding {
  const { database, stored, actual, lowersLetters } = collation;
  if (!lowersLetters) {
    return warning(
      "collation",
      "the database's locale doesn't change all letters to lower case, and searches miss words",
      `Make a backup, and restore it into a new database: ${createdb}`,
    );
  }
  if (stored === actual) return ok("collation", "texts are sorted as in the indexes");
  return warning(
    "collation",
    `the indexes were made with version ${stored ?? "unknown"}, and the server now has ${actual ?? "unknown"}`,
    `Stop Kinora and run in psql: reindex database "${database}"; alter database "${database}" refresh collation version;`,
  );
}

export async function checkStorage({ dataDir, maxUploadBytes, s3 }: Config): Promise<Finding[]> {
  await ensureDataFolder(dataDir);
  const { freeBytes, sizeBytes } = await readDiskSpace(dataDir);
  const size = formatFileSize(freeBytes);
  const free =
    s3 === null ? `${size} free` : `${size} free in DATA_DIR, and the bucket ${s3.bucket} responds`;
  // Minimum space for an upload, its renditions and their copies.
  const isLow = freeBytes / sizeBytes < minFreeShare || freeBytes < maxUploadBytes * 5;
  const advice = "Enlarge the disk of DATA_DIR, or delete videos.";
  return [isLow ? warning("storage", free, advice) : ok("storage", free)];
}

const updateAdvice =
  "Install ffmpeg from your distribution (on Debian: apt-get install ffmpeg), which brings fixes to it. Without root, unpack a current static build of https://ffmpeg.org/download.html and set FFMPEG_PATH and FFPROBE_PATH to it. The npm registry has no newer builds than those that are packaged.";

/** Ubuntu lets programs without an AppArmor profile create user namespaces, but not map users. */
const ubuntuAdvice =
  "On Ubuntu, add an AppArmor profile for /usr/bin/bwrap. For containers, run sysctl kernel.apparmor_restrict_unprivileged_userns=0 on the host. ";

export function checkMedia(report: Media["report"], now: Date): Finding[] {
  const { version, tools, degraded, sandbox } = report;
  const old = listOldTools(tools, now);
  return [
    old !== null
      ? warning("ffmpeg", `more than a year old: ${old}`, updateAdvice)
      : degraded.length > 0
        ? warning("ffmpeg", `${version} works without ${list(degraded)}`, "Install a full ffmpeg.")
        : ok("ffmpeg", version),
    sandbox.level !== "bwrap"
      ? warning(
          "sandbox",
          sandbox.description,
          sandbox.weakness === missingBwrap
            ? "Install bubblewrap. See docs/operating/installing.md."
            : `Solve this problem and start again: ${sandbox.weakness}. ${/uid.map/.test(sandbox.weakness ?? "") ? ubuntuAdvice : ""}See docs/operating/installing.md.`,
        )
      : sandbox.weakness === null
        ? ok("sandbox", sandbox.description)
        : warning(
            "sandbox",
            `${sandbox.description}. A stronger sandbox failed: ${sandbox.weakness}`,
            "Fix the problem and start again. See docs/operating/installing.md.",
          ),
  ];
}

/** @param found result of comparing the newest videos' playlists with their files. */
export function checkVideos(found: { checked: number; damaged: readonly DamagedVideo[] }): Finding {
  const { checked, damaged } = found;
  const [first] = damaged;
  if (checked === 0) return ok("videos", "no renditions to check yet");
  if (first === undefined) return ok("videos", `the newest ${checked} have complete renditions`);
  return warning(
    "videos",
    `${damaged.length} of the newest ${checked} have incomplete renditions (${first.slug}: ${first.problem})`,
    "Run npm run admin -- reprocess --damaged. It checks all videos and makes damaged renditions again.",
  );
}

/** Reports labels that may have taken the place of others before version 1.0.0. */
export function checkLabels({ lossyLabels }: Pick<ServerState, "lossyLabels">): Finding {
  const more = lossyLabels.length - shownDifferences;
  if (lossyLabels.length === 0) return ok("labels", "every name has its own label");
  return warning(
    "labels",
    `${lossyLabels.length} may contain videos of other names: ${list(lossyLabels.slice(0, shownDifferences))}${more > 0 ? ` and ${more} more` : ""}`,
    "Check the videos of these labels. Rename each label, even to the same name in another case, once they are right.",
  );
}

/** Reports what the review after an upgrade has done, and what an admin has to do. */
export function checkReview({ fileReview }: Pick<ServerState, "fileReview">): Finding {
  const { due, withdrawn, unrenewed } = fileReview;
  const { processing, failed, ready } = withdrawn;
  const name = (slugs: readonly string[]) => {
    const more = slugs.length - shownDifferences;
    const shown = list(slugs.slice(0, shownDifferences));
    return `${slugs.length} (${shown}${more > 0 ? ` and ${more} more` : ""})`;
  };
  const says = [
    ...(failed.length > 0 ? [`couldn't be made again: ${name(failed)}`] : []),
    ...(unrenewed.length > 0
      ? [`look as before, because renewing failed: ${name(unrenewed)}`]
      : []),
    ...(processing.length > 0 ? [`withdrawn and being made again: ${name(processing)}`] : []),
    ...(ready.length > 0 ? [`withdrawn and made again: ${name(ready)}`] : []),
    ...(due > 0 ? [`still to be reviewed: ${due}`] : []),
  ].join(", ");
  if (failed.length + unrenewed.length > 0) {
    const advice = "Open these videos in the back office, and retry or replace their files.";
    return warning("older videos", says, advice);
  }
  if (processing.length + due > 0) {
    return warning("older videos", says, "Keep the site running. It works on these videos.");
  }
  return ok("older videos", says === "" ? "none had to be changed" : says);
}

/** @param lastBackupAt last success of `npm run admin -- backup` according to the audit log. */
export function checkBackups(lastBackupAt: Date | null, now: Date): Finding {
  const advice =
    "Run npm run admin -- backup every day. If you use another backup program, check that it still works.";
  if (lastBackupAt === null) return warning("backups", "no backup recorded", advice);
  const days = Math.floor((now.getTime() - lastBackupAt.getTime()) / 86_400_000);
  const says =
    days < 1 ? "the last backup is less than a day old" : `the last backup is ${days} days old`;
  return days > maxBackupAgeDays ? warning("backups", says, advice) : ok("backups", says);
}

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
