import type { LimitCommand } from "./limit-command.ts";
import {
  dropToMediaUser,
  isInside,
  listParents,
  mediaUserId,
  type Identity,
  type SandboxedRun,
} from "./sandbox-command.ts";
import { visibleDevices, type ProgramFiles, type SystemFiles } from "./visible-files.ts";

/**
 * Capabilities for entering the media user's folder and becoming that user. Becoming that user
 * drops all three.
 */
const neededToDrop = ["CAP_DAC_READ_SEARCH", "CAP_SETUID", "CAP_SETGID"];

/**
 * Returns bubblewrap's arguments: separate namespaces for everything, a file system that contains
 * only the run's files, and the media user. Process 1 inside ends when bwrap ends, and bwrap when
 * this process ends. The kernel then ends everything in the namespace.
 */
export function bwrapCommand(
  run: SandboxedRun,
  options: {
    identity: Identity;
    hasProc: boolean;
    hasSeccomp: boolean;
    system: SystemFiles;
    program: ProgramFiles;
    limit: LimitCommand;
    processes: number | null;
  },
): string[] {
  const { identity, system, program } = options;
  const readOnly = [...program.files, ...run.inputs];
  const folders = listParents([...system.paths, ...visibleDevices, ...readOnly]);
  const work = run.outputDir === null ? [] : [run.outputDir];
  return [
    "bwrap",
    ...["--unshare-net", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent"],
    ...(identity === "drop"
      ? ["--cap-drop", "ALL", ...neededToDrop.flatMap((name) => ["--cap-add", name])]
      : ["--unshare-user", "--uid", String(mediaUserId), "--gid", String(mediaUserId)]),
    ...(options.hasSeccomp ? ["--seccomp", "3"] : []),
    // bwrap would create them for root only.
    ...[...folders, ...listParents(work)].flatMap((folder) => ["--dir", folder]),
    ...system.paths.flatMap((each) => ["--ro-bind", each, each]),
    ...system.links.flatMap(({ at, to }) => ["--symlink", to, at]),
    ...(options.hasProc ? ["--proc", "/proc"] : []),
    ...visibleDevices.flatMap((device) => ["--dev-bind", device, device]),
    ...work.flatMap((folder) => ["--bind", folder, folder]),
    ...readOnly.flatMap((file) => ["--ro-bind", file, file]),
    ...(isInside(run.cwd, run.outputDir)
      ? []
      : [...listParents([run.cwd]), run.cwd].flatMap((folder) => ["--dir", folder])),
    ...["--remount-ro", "/", "--chdir", run.cwd, "--"],
    ...dropToMediaUser(identity),
    ...options.limit(run.limits, [program.program, ...run.args], options.processes),
  ];
}
