import { chmod, mkdir, readFile, readdir, rename, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hasCode } from "#server/lib/app-error.ts";
import { syncFolder } from "#server/lib/sync-folder.ts";
import type { Binaries } from "./binaries.ts";
import { runCommand } from "./command.ts";
import { EngineError } from "./engine-error.ts";
import { createPassword, passwordPath, writePrivate } from "./password.ts";
import { isAlive } from "./postmaster-file.ts";
import { type Launch, changeOwner } from "./privileges.ts";

/** Version of the installed PostgreSQL programs. */
const majorVersion = "18";
const unfinishedPrefix = "postgres.init-";

/**
 * Creates the cluster if it doesn't exist. Creates it under a temporary name and renames it, so
 * that a folder named `postgres` is always complete, even after a power failure.
 */
export async function ensureCluster(
  dataDir: string,
  binaries: Binaries,
  launch: Launch,
  isDurable: boolean,
): Promise<string> {
  const clusterDir = join(dataDir, "postgres");
  const version = await readVersion(clusterDir);
  if (version === null) await createCluster(clusterDir, binaries, launch, isDurable);
  else if (version !== majorVersion) {
    throw new EngineError(
      `The database in ${clusterDir} was created by PostgreSQL ${version}, and this Kinora includes ${majorVersion}. Make a backup with the older Kinora (npm run admin -- backup FILE) and restore it into a new DATA_DIR.`,
    );
  }
  await changeOwner(launch, clusterDir);
  await closeToOthers(clusterDir);
  return clusterDir;
}

/**
 * Takes other users' permissions away, because PostgreSQL refuses a folder that they can read. A
 * copy or a restored backup of DATA_DIR may have gained them.
 */
async function closeToOthers(clusterDir: string): Promise<void> {
  const { mode } = await stat(clusterDir);
  if ((mode & 0o027) === 0) return;
  await chmod(clusterDir, 0o700).catch((error: unknown) => {
    throw new EngineError(
      `The database in ${clusterDir} belongs to another user. Start Kinora as that user, or give DATA_DIR to this one.`,
      error,
    );
  });
}

async function readVersion(clusterDir: string): Promise<string | null> {
  try {
    return (await readFile(join(clusterDir, "PG_VERSION"), "utf8")).trim();
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw new EngineError(
      `Couldn't read the database in ${clusterDir}. Does it belong to another user?`,
      error,
    );
  }
}

async function createCluster(
  clusterDir: string,
  binaries: Binaries,
  launch: Launch,
  isDurable: boolean,
): Promise<void> {
  const dataDir = dirname(clusterDir);
  await removeUnfinished(dataDir);
  // An empty folder isn't a cluster and is removed. A folder with files stays.
  await rmdir(clusterDir).catch(async (error: unknown) => {
    if (hasCode(error, "ENOENT")) return;
    // Another process may have just created its cluster. The rename below detects that.
    if ((await readVersion(clusterDir)) !== null) return;
    throw new EngineError(
      `${clusterDir} isn't empty and doesn't contain a database. Move it away, or use another DATA_DIR.`,
    );
  });
  const unfinished = join(dataDir, `${unfinishedPrefix}${process.pid}`);
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await changeOwner(launch, unfinished);
  const passwordFile = `${unfinished}.password`;
  await writePrivate(passwordFile, `${createPassword()}\n`, launch);

  // C order is the same on every machine. The character type is needed for non-ASCII words.
  const locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"];
  const attempts = [
    [...locale, "--lc-ctype=C.UTF-8"],
    [...locale, "--lc-ctype=en_US.UTF-8"],
    locale,
  ];
  let output = "";
  for (const options of attempts) {
    const args = ["-D", unfinished, "-U", "kinora", "-E", "UTF8", ...options];
    args.push("--auth-local=scram-sha-256", "--auth-host=reject", "--no-instructions");
    args.push(`--pwfile=${passwordFile}`);
    args.push("--text-search-config=simple", ...(isDurable ? [] : ["--no-sync"]));
    const result = await runCommand(launch.wrap(binaries.initdb, args), {
      cwd: unfinished,
      env: { ...process.env, ...binaries.env, LC_ALL: "C" },
    });
    output = result.output;
    if (result.code === 0) {
      await rename(passwordFile, passwordPath(unfinished));
      await syncFolder(unfinished);
      await moveIntoPlace(unfinished, clusterDir);
      return;
    }
  }
  await rm(unfinished, { recursive: true, force: true });
  await rm(passwordFile, { force: true });
  if (/No space left on device|Disk quota exceeded|Check free disk space/.test(output)) {
    throw new EngineError(
      `DATA_DIR: ${dataDir} has no space left for the database. Free at least 1 GB, or use another folder.`,
      output,
    );
  }
  throw new EngineError(`Couldn't create the database in ${dataDir}: ${lastLine(output)}`, output);
}

async function moveIntoPlace(unfinished: string, clusterDir: string): Promise<void> {
  try {
    await rename(unfinished, clusterDir);
    await syncFolder(dirname(clusterDir));
  } catch (error) {
    if (!hasCode(error, "ENOTEMPTY", "EEXIST")) throw error;
    // Another process created the cluster first. Use that one.
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** Removes the files of a process that died while creating a cluster. */
async function removeUnfinished(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(unfinishedPrefix)) continue;
    const pid = Number.parseInt(name.slice(unfinishedPrefix.length), 10);
    if (pid !== process.pid && isAlive(pid)) continue;
    // Programs that the dead process started end shortly after it and may create files until then.
    await rm(join(dataDir, name), {
      recursive: true,
      force: true,
      maxRetries: 20,
      retryDelay: 100,
    });
  }
}

function lastLine(text: string): string {
  const lines = text
    .trim()
    .split("\n")
    .filter((line) => /error|fatal|could not|denied|cannot/i.test(line));
  return lines.at(-1) ?? text.trim().split("\n").at(-1) ?? "";
}
