import { constants } from "node:fs";
import { chmod, mkdir, mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { release } from "node:os";
import path from "node:path";
import { OperatorError } from "#server/lib/app-error.ts";
import { bwrapCommand, unshareCommand } from "./bwrap.ts";
import {
  findLimitCommand,
  maxProcesses,
  maxSharedProcesses,
  type LimitCommand,
} from "./limit-command.ts";
import {
  listParents,
  mediaUserId,
  quote,
  type Identity,
  type SandboxCommand,
  type SandboxedRun,
} from "./sandbox-command.ts";
import { createSeccompFilter } from "./seccomp-filter.ts";
import { startSandboxed } from "./start-sandboxed.ts";
import { isInconclusive, isShortage, repeatTrial, runsWell } from "./trial.ts";
import {
  findOnPath,
  findProgramFiles,
  isNearSystemPath,
  listSystemFiles,
} from "./visible-files.ts";

export type SandboxLevel = "bwrap" | "unshare" | "none";

/** Sandbox for programs that read untrusted files. */
export interface Sandbox {
  level: SandboxLevel;
  /** Line for operators that describes the active isolation, or says why there is none. */
  description: string;
  /** Reason why nothing stronger is active; null for the strongest level. */
  weakness: string | null;
  wrap(run: SandboxedRun): Promise<SandboxCommand>;
}

export const missingBwrap = "bubblewrap is not installed";

/** Niceness of background media work, below requests. */
const niceness = 10;
/** Niceness of work on videos that already play. */
const patientNiceness = 19;

/** Methods to isolate a program, strongest first. */
interface Method {
  level: "bwrap" | "unshare";
  identity: Identity;
  hasProc: boolean;
  seccompFilter: Buffer | null;
}

/**
 * Finds the strongest isolation that works on this machine: bubblewrap, then unshare with separate
 * mounts, then only limits. Tries each with a program that attempts what the sandbox must prevent.
 * Compared with limits alone, bwrap adds about 9 ms to an ffprobe run and unshare 42 ms, measured
 * on two busy cores.
 * @param workRoot persistent folder in which a folder for mounts and trials is created.
 * @param only restricts the choice, for tests. `options` sets the users and the limits of trials.
 * @throws OperatorError if the machine is too busy or the disk too full for a result, because neither
 * must weaken the sandbox.
 */
export async function createSandbox(
  workRoot: string,
  only: readonly SandboxLevel[] = ["bwrap", "unshare", "none"],
  options: {
    identities?: readonly Identity[];
    limitsMs?: readonly number[];
    /** Another folder with files of runs. Its disk may refuse to change the owner of a file. */
    fileRoot?: string;
    /** False to run background work at normal priority. */
    lowersPriority?: boolean;
  } = {},
): Promise<Sandbox> {
  const [limit, hasNice] = await Promise.all([
    findLimitCommand(),
    options.lowersPriority !== false && runsWell(["nice", "-n", String(niceness), "true"]),
  ]);
  const prefix = (run: SandboxedRun): string[] =>
    hasNice && !run.isUrgent
      ? ["nice", "-n", String(run.isLowPriority ? patientNiceness : niceness)]
      : [];
  const mountPoint = path.join(workRoot, `kinora-mount-${process.getuid?.() ?? 0}`);
  await mkdir(mountPoint, { recursive: true, mode: 0o700 });

  const isInstalled = findOnPath("bwrap", process.env["PATH"] ?? "/usr/bin:/bin") !== null;
  // The first method is the strongest, so its problem is the one to solve.
  let weakness: string | null = isInstalled ? null : missingBwrap;
  const methods = listMethods(only, options.identities);
  for (const method of methods) {
    const sandbox = createIsolated(method, { limit, prefix, mountPoint });
    let problem: string | null = null;
    for (const root of [workRoot, options.fileRoot]) {
      if (root === undefined || problem !== null) continue;
      const found = await repeatTrial(
        "the sandbox of the media tools",
        (limitMs) => tryOut(sandbox, root, limitMs),
        options.limitsMs,
      );
      // A full disk doesn't prove that the sandbox is broken.
      if (!isDiskFull(found.problem)) problem = found.problem;
      else if (root === workRoot) {
        throw new OperatorError(
          `The disk of ${workRoot} is full. Free some space and start again.`,
        );
      }
    }
    if (problem === null) return isWeaker(method, methods) ? { ...sandbox, weakness } : sandbox;
    weakness ??= `${method.level}: ${problem}`;
  }
  weakness ??= "this system has neither bubblewrap nor unshare";
  if (!only.includes("none")) throw new Error(`this system permits no sandbox (${weakness})`);
  return createUnisolated({ limit, prefix, reason: weakness });
}

/**
 * Returns whether a method is weaker than the strongest one. A missing /proc only hides more from a
 * run.
 */
const isWeaker = (method: Method, [first = method]: readonly Method[]): boolean =>
  method.level !== first.level ||
  method.identity !== first.identity ||
  method.seccompFilter !== first.seccompFilter;

const identitiesOf = (userId: number | undefined): Identity[] =>
  userId === 0 ? ["drop", "map"] : ["map"];

function listMethods(
  only: readonly SandboxLevel[],
  identities: readonly Identity[] = identitiesOf(process.getuid?.()),
): Method[] {
  if (process.platform !== "linux") return [];
  const filter = createSeccompFilter();
  const methods: Method[] = [];
  for (const level of ["bwrap", "unshare"] as const) {
    if (!only.includes(level)) continue;
    for (const seccompFilter of level === "bwrap" && filter !== null ? [filter, null] : [null]) {
      for (const identity of identities) {
        for (const hasProc of [true, false]) {
          methods.push({ level, identity, hasProc, seccompFilter });
        }
      }
    }
  }
  return methods;
}

function createIsolated(
  method: Method,
  parts: {
    limit: LimitCommand;
    prefix: (run: SandboxedRun) => string[];
    mountPoint: string;
  },
): Sandbox {
  const system = listSystemFiles();
  // Since Linux 5.14, a user namespace counts its own processes. The media user's processes are
  // counted together.
  const processes =
    method.identity === "drop" ? maxSharedProcesses : isKernelAtLeast(5, 14) ? maxProcesses : null;
  const { identity, hasProc, seccompFilter } = method;
  return {
    level: method.level,
    weakness: null,
    description: [
      `media sandbox: ${method.level}, ${identity === "drop" ? "a user of its own" : "a user namespace"}, `,
      `only the job's files, no network, ${hasProc ? "" : "no /proc, "}own processes, `,
      seccompFilter === null ? "no seccomp filter" : "seccomp filter",
    ].join(""),
    async wrap(run) {
      await giveFiles(run, identity === "drop" ? mediaUserId : null);
      const program = findProgramFiles(run.program, process.env["PATH"] ?? "/usr/bin:/bin");
      const shared = { identity, hasProc, system, program, limit: parts.limit, processes };
      const command =
        method.level === "bwrap"
          ? bwrapCommand(run, { ...shared, hasSeccomp: seccompFilter !== null })
          : unshareCommand(run, { ...shared, mountPoint: parts.mountPoint });
      return toCommand([...parts.prefix(run), ...command], seccompFilter);
    },
  };
}

/**
 * Creates a sandbox that only sets limits and ends when its parent ends. It reads and writes like
 * this process.
 */
async function createUnisolated(parts: {
  limit: LimitCommand;
  prefix: (run: SandboxedRun) => string[];
  reason: string;
}): Promise<Sandbox> {
  const tied = ["setpriv", "--pdeathsig", "KILL", "--no-new-privs"];
  const hasSetpriv = await runsWell([...tied, "true"]);
  return {
    level: "none",
    weakness: parts.reason,
    description: `no sandbox: media tools run with limits only (${parts.reason})`,
    async wrap(run) {
      await giveFiles(run, null);
      const tool = [...parts.prefix(run), ...(hasSetpriv ? tied : []), run.program, ...run.args];
      return toCommand(parts.limit(run.limits, tool, null), null);
    },
  };
}

function toCommand(command: string[], seccompFilter: Buffer | null): SandboxCommand {
  const [program = "", ...args] = command;
  return { program, args, seccompFilter };
}

/**
 * Makes the media tools' user the owner of the files that they may read and write. The files are
 * private, and only the sandbox gives access to them. Root retains access. Earlier, a different
 * kind of sandbox may have given them to another user. Refuses links, because a tool could have
 * left one.
 * @param owner null for this process's user. A user namespace shows that user as a different one.
 */
async function giveFiles(run: SandboxedRun, owner: number | null): Promise<void> {
  const ownId = process.getuid?.();
  // Other users can't give files away, and they own those they made.
  if (ownId !== 0) return;
  const ownerId = owner ?? ownId;
  const paths = run.outputDir === null ? run.inputs : [...run.inputs, run.outputDir];
  for (const file of paths) {
    const handle = await open(
      file,
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
    try {
      const { uid } = await handle.stat();
      const isOurs = uid === 0 || uid === mediaUserId;
      // Without the media user, the file modes decide about files of other users.
      if (uid !== ownerId && (owner !== null || isOurs)) await handle.chown(ownerId, ownerId);
    } finally {
      await handle.close();
    }
  }
}

function isKernelAtLeast(major: number, minor: number): boolean {
  const [ownMajor = 0, ownMinor = 0] = release().split(/[.-]/).map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

const isDiskFull = (problem: string | null): boolean =>
  /ENOSPC|EDQUOT|No space left|Disk quota exceeded/i.test(problem ?? "");

/**
 * Runs a program that tests the sandbox from inside.
 * @returns the problem, or a null problem if the sandbox holds. Returns null if inconclusive.
 */
async function tryOut(
  sandbox: Sandbox,
  workRoot: string,
  limitMs: number,
): Promise<{ problem: string | null } | null> {
  let folder: string | null = null;
  try {
    folder = await mkdtemp(path.join(workRoot, "kinora-trial-"));
    const input = path.join(folder, "input");
    const secret = path.join(folder, "secret");
    const outputDir = path.join(folder, "output");
    await writeFile(input, "readable", { mode: 0o600 });
    await writeFile(secret, "secret", { mode: 0o644 });
    await mkdir(outputDir, { mode: 0o700 });
    // Traversable, so that only the sandbox can hide the secret.
    await chmod(folder, 0o755);
    const script = [
      `[ "$(id -u)" -ne 0 ] || exit 11`,
      `[ ! -e ${quote(secret)} ] && [ ! -e /etc/passwd ] || exit 12`,
      ...listOthersChecks(folder).map((check) => `${check} || exit 13`),
      `cat ${quote(input)} >${quote(`${outputDir}/copy`)} || exit 14`,
      `if ( : >>${quote(input)} ) 2>/dev/null; then exit 15; fi`,
    ].join("\n");
    const command = await sandbox.wrap({
      program: "sh",
      args: ["-c", script],
      cwd: outputDir,
      inputs: [input],
      outputDir,
      limits: { addressSpaceBytes: 2 ** 31, cpuS: 5, outputBytes: 2 ** 20 },
      isUrgent: true,
      isLowPriority: false,
    });
    const outcome = await runTrial(command, limitMs);
    const { code, stderr } = outcome;
    if (isInconclusive(outcome)) return null;
    if (code !== 0) {
      return { problem: stderr.trim().split("\n")[0] || `the trial ended with ${code}` };
    }
    const isWhole = (await readFile(path.join(outputDir, "copy"), "utf8")) === "readable";
    return { problem: isWhole ? null : "its output does not arrive" };
  } catch (error) {
    if (isShortage(error)) return null;
    return { problem: error instanceof Error ? error.message : String(error) };
  } finally {
    if (folder !== null) await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Returns shell conditions that hold if other people's files are invisible: no `/home` and `/root`,
 * except the folders above the trial, which then contain nothing but the way to it.
 */
function listOthersChecks(folder: string): string[] {
  const above = listParents([path.join(folder, "input")]);
  const missing = ["/home", "/root"].filter((each) => !above.includes(each));
  const emptied = above.slice(0, -1).filter((each) => !isNearSystemPath(each));
  return [
    ...missing.map((each) => `[ ! -e ${each} ]`),
    ...emptied.map((each) => {
      const next = above[above.indexOf(each) + 1] ?? folder;
      return `[ "$(ls -A ${quote(each)})" = ${quote(path.basename(next))} ]`;
    }),
  ];
}

function runTrial(
  command: SandboxCommand,
  limitMs: number,
): Promise<{ code: number | null; stderr: string }> {
  return new Promise((resolve, reject) => {
    let stderr = "";
    const { child, stderr: errors } = startSandboxed(command, {
      cwd: "/",
      env: { PATH: process.env["PATH"] },
    });
    errors.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), limitMs);
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ code, stderr });
    });
  });
}
