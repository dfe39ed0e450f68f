import { chown, lstat, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Command, runCommand } from "./command.ts";
import { EngineError } from "./engine-error.ts";

/** PostgreSQL refuses to run as root; this is the id of the system user `nobody`. */
const nobodyId = 65534;

/** How the programs are started: as which user, and how they end with their parent. */
export interface Launch {
  /** For short commands such as initdb. */
  wrap(file: string, args: string[]): Command;
  /** For the server: it receives a signal when this process ends for any reason. */
  wrapServer(file: string, args: string[]): Command & { watchesStdin: boolean };
  /** Owner of the files that the server writes. */
  fileOwnerId: number;
  /** Whether the server runs as another user than this process. */
  dropsUser: boolean;
}

// Ends the server when stdin closes, which the kernel does when the parent dies.
const stdinWatchdog =
  'exec 3<&0; "$@" </dev/null 3<&- & pid=$!; (read -r _ <&3; kill -INT $pid 2>/dev/null) & watch=$!; exec 3<&-; wait $pid; code=$?; kill $watch 2>/dev/null; exit $code';

/** What may be used; tests disable some of it. */
export interface LaunchLimits {
  namespace?: boolean;
  parentSignal?: boolean;
}

/**
 * Detects what this machine allows. As root: a user namespace as the user `nobody`, which also works
 * below a folder that only root may enter, or else that user itself.
 */
export async function findLaunch(limits: LaunchLimits = {}): Promise<Launch> {
  const isRoot = process.getuid?.() === 0;
  const parentSignal = ["--pdeathsig", "INT", "--"];
  const namespace = ["--user", `--map-user=${nobodyId}`, `--map-group=${nobodyId}`, "--"];
  const [hasParentSignal, hasNamespace] = await Promise.all([
    limits.parentSignal !== false && works("setpriv", [...parentSignal, "true"]),
    limits.namespace !== false && isRoot && works("unshare", [...namespace, "true"]),
  ]);
  const dropsUser = isRoot && !hasNamespace;

  const asUser = (file: string, args: string[]): Command => {
    if (hasNamespace) return { file: "unshare", args: [...namespace, file, ...args] };
    if (dropsUser) return { file, args, uid: nobodyId, gid: nobodyId };
    return { file, args };
  };
  // setpriv comes last: a change of user clears the signal.
  const tied = (file: string, args: string[]): Command =>
    asUser("setpriv", [...parentSignal, file, ...args]);
  return {
    wrap: hasParentSignal ? tied : asUser,
    wrapServer: (file, args) => {
      if (hasParentSignal) return { ...tied(file, args), watchesStdin: false };
      return { ...asUser("sh", ["-c", stdinWatchdog, "sh", file, ...args]), watchesStdin: true };
    },
    fileOwnerId: dropsUser ? nobodyId : (process.getuid?.() ?? 0),
    dropsUser,
  };
}

async function works(file: string, args: string[]): Promise<boolean> {
  return (await runCommand({ file, args })).code === 0;
}

/**
 * Makes the user of the server the owner of a folder and its content. Only a change of that user or
 * a moved data folder needs it; otherwise nothing changes.
 */
export async function changeOwner(launch: Launch, path: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const info = await lstat(path);
  if (info.uid === launch.fileOwnerId) return;
  // The top folder last: an interrupted run is then detected and repeated.
  await changeOwnerOf(launch.fileOwnerId, path);
}

async function changeOwnerOf(id: number, path: string): Promise<void> {
  const info = await lstat(path);
  if (info.isSymbolicLink()) return;
  if (info.isDirectory()) {
    for (const name of await readdir(path)) await changeOwnerOf(id, join(path, name));
  }
  await chown(path, id, id);
}

/** When the server runs as `nobody`, that user must be able to enter every parent folder. */
export async function checkReachable(launch: Launch, path: string): Promise<void> {
  if (!launch.dropsUser) return;
  for (let dir = dirname(path); ; dir = dirname(dir)) {
    const info = await stat(dir);
    if ((info.mode & 0o001) === 0 && info.uid !== launch.fileOwnerId) {
      throw new EngineError(
        `PostgreSQL does not run as root, and the user it would run as may not enter ${dir}. Start Kinora as an ordinary user, or move its data with DATA_DIR.`,
      );
    }
    if (dir === dirname(dir)) return;
  }
}
