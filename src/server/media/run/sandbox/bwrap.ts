import type { LimitCommand } from "./limit-command.ts";
import {
  dropToMediaUser,
  isInside,
  listParents,
  mediaUserId,
  quote,
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

/**
 * Isolates with the tools of util-linux and a shell script, without a seccomp filter. The shell
 * stays process 1 and keeps its parent-death signal. The media tool could clear its own.
 */
export function unshareCommand(
  run: SandboxedRun,
  options: {
    identity: Identity;
    hasProc: boolean;
    system: SystemFiles;
    program: ProgramFiles;
    limit: LimitCommand;
    processes: number | null;
    /** Empty folder. The new file system is mounted on it inside the namespace. */
    mountPoint: string;
  },
): string[] {
  const { identity, system, program } = options;
  const readOnly = [...program.files, ...run.inputs];
  const work = run.outputDir === null ? [] : [run.outputDir];
  const folders = listParents([...system.paths, ...visibleDevices, ...readOnly, ...work, run.cwd]);
  const below = (path: string): string => quote(`.${path}`);
  const bind = (path: string, mode: string): string[] => [
    // A bind mount needs a target of the same kind.
    `if [ -d ${quote(path)} ]; then mkdir -p ${below(path)}; else [ -e ${below(path)} ] || : >${below(path)}; fi`,
    `mount -o bind,nosuid,${mode} ${quote(path)} ${below(path)}`,
  ];
  const script = [
    "set -e",
    'PATH="$PATH:/usr/sbin:/sbin"',
    `mount -t tmpfs -o mode=755,size=1m,nosuid none ${quote(options.mountPoint)}`,
    `cd ${quote(options.mountPoint)}`,
    `mkdir -p ${[...folders, "/dev", "/proc"].map(below).join(" ")}`,
    ...system.paths.flatMap((path) => bind(path, "nodev,ro")),
    ...system.links.map(({ at, to }) => `ln -s ${quote(to)} ${below(at)}`),
    ...(options.hasProc ? ["mount -t proc -o nosuid,nodev,noexec proc ./proc"] : []),
    ...visibleDevices.flatMap((path) => bind(path, "rw")),
    ...work.flatMap((path) => bind(path, "nodev,rw")),
    ...readOnly.flatMap((path) => bind(path, "nodev,ro")),
    ...(isInside(run.cwd, run.outputDir) ? [] : [`mkdir -p ${below(run.cwd)}`]),
    "mount -o remount,bind,ro,nosuid .",
    // Stacks the old root on the new one, then removes it, so that no part of it can be reached.
    "pivot_root . .",
    "umount -l .",
    `cd ${quote(run.cwd)}`,
    // Not "exec", because the shell must stay process 1.
    'set +e; "$@"; exit $?',
  ].join("\n");
  return [
    ...["setpriv", "--pdeathsig", "KILL", "unshare"],
    ...(identity === "map" ? ["--user", "--map-root-user"] : []),
    ...["--mount", "--net", "--pid", "--ipc", "--uts", "--fork", "--kill-child=KILL"],
    ...["sh", "-c", script, "sh"],
    // A second namespace in which the current user isn't root.
    ...(identity === "map"
      ? ["unshare", "--user", `--map-user=${mediaUserId}`, `--map-group=${mediaUserId}`]
      : []),
    ...dropToMediaUser(identity),
    ...options.limit(run.limits, [program.program, ...run.args], options.processes),
  ];
}
