import { chown, lstat, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Command, runCommand } from "./command.ts";
import { EngineError } from "./engine-error.ts";

/** Id of the system user `nobody`, because PostgreSQL refuses to run as root. */
const nobodyId = 65534;

// Script that ends the server when stdin closes. The kernel closes it when the parent dies.
const stdinWatchdog =
  'exec 3<&0; "$@" </dev/null 3<&- & pid=$!; (read -r _ <&3; kill -INT $pid 2>/dev/null) & watch=$!; exec 3<&-; wait $pid; code=$?; kill $watch 2>/dev/null; exit $code';

/** Mechanisms that may be used. Tests disable some. */
export interface LaunchLimits {
  namespace?: boolean;
  parentSignal?: boolean;
}

/**
 * Detects the mechanisms available on this machine. Under root, uses a user namespace with the user
 * `nobody`, which also works below a folder that only root may enter. If that isn't available, uses
 * that user directly.
 */
export async function findLaunch(limits: LaunchLimits = {}) {
  const isRoot = process.getuid?.() === 0;
  const parentSignal = ["--pdeathsig", "INT", "--"];
  const namespace = ["--user", `--map-user=${nobodyId}`, `--map-group=${nobodyId}`, "--"];
  const [hasParentSignal, hasNamespace] = await Promise.all([
    limits.parentSignal !== false && works("setpriv", [...parentSignal, "true"]),
    limits.namespace !== false && isRoot && works("unshare", [...namespace, "true"]),
  ]);
  /** True if the server runs as a different user than this process. */
  const dropsUser = isRoot && !hasNamespace;

  const asUser = (file: string, args: string[]): Command => {
    if (hasNamespace) return { file: "unshare", args: [...namespace, file, ...args] };
    if (dropsUser) return { file, args, uid: nobodyId, gid: nobodyId };
    return { file, args };
  };
  // setpriv runs last, because changing the user clears the signal.
  const tied = (file: string, args: string[]): Command =>
    asUser("setpriv", [...parentSignal, file, ...args]);
  return {
    /** Wraps short commands such as initdb. */
    wrap: hasParentSignal ? tied : asUser,
    /** Wraps the server so that it receives a signal when this process ends for any reason. */
    wrapServer: (file: string, args: string[]): Command & { watchesStdin: boolean } => {
      if (hasParentSignal) return { ...tied(file, args), watchesStdin: false };
      return { ...asUser("sh", ["-c", stdinWatchdog, "sh", file, ...args]), watchesStdin: true };
    },
    /** Owner of the files written by the server. */
    fileOwnerId: dropsUser ? nobodyId : (process.getuid?.() ?? 0),
    dropsUser,
  };
}

/** How to start programs: as which user, and how they end when their parent ends. */
export type Launch = Awaited<ReturnType<typeof findLaunch>>;

async function works(file: string, args: string[]): Promise<boolean> {
  return (await runCommand({ file, args })).code === 0;
}

/**
 * Makes the server's user the owner of a folder and its content. That changes something only if the
 * user differs from the last run's or the data folder was moved.
 */
export async function changeOwner(launch: Launch, path: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const info = await lstat(path);
  if (info.uid === launch.fileOwnerId) return;
  // Changes the top folder last, so that the next start detects an interrupted run and repeats it.
  await changeOwnerDeep(launch.fileOwnerId, path);
}

async function changeOwnerDeep(id: number, path: string): Promise<void> {
  const info = await lstat(path);
  if (info.isSymbolicLink()) return;
  if (info.isDirectory()) {
    for (const name of await readdir(path)) await changeOwnerDeep(id, join(path, name));
  }
  await chown(path, id, id);
}

/**
 * Checks that the server's user can enter every parent folder, if the server runs as `nobody`.
 * @param remedy advice for the operator, as the second half of a sentence.
 */
export async function checkReachable(launch: Launch, path: string, remedy: string): Promise<void> {
  if (!launch.dropsUser) return;
  for (let dir = dirname(path); ; dir = dirname(dir)) {
    const info = await stat(dir);
    if ((info.mode & 0o001) === 0 && info.uid !== launch.fileOwnerId) {
      throw new EngineError(
        `PostgreSQL can't run as root, and the user it would run as can't open ${dir}. Start Kinora as an ordinary user, or ${remedy}.`,
      );
    }
    if (dir === dirname(dir)) return;
  }
}
