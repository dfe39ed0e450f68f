import { constants } from "node:fs";
import { chmod, mkdir, mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { release } from "node:os";
import path from "node:path";
import { bwrapCommand } from "./bwrap.ts";
import { findLimitCommand, type LimitCommand } from "./limit-command.ts";
import {
  mediaUserId,
  type Identity,
  type SandboxCommand,
  type SandboxedRun,
} from "./sandbox-command.ts";
import { createSeccompFilter } from "./seccomp-filter.ts";
import { startSandboxed } from "./start-sandboxed.ts";
import { runsWell } from "./trial.ts";
import { unshareCommand } from "./unshare.ts";
import { findProgramFiles, listSystemFiles } from "./visible-files.ts";

export type SandboxLevel = "bwrap" | "unshare" | "none";

/** Starts programs that read untrusted files. */
export interface Sandbox {
  level: SandboxLevel;
  /** One line for operators: what is in force, or why nothing is. */
  description: string;
  wrap(run: SandboxedRun): Promise<SandboxCommand>;
}

/** Priority of background media work, below that of requests, */
const niceness = 10;
/** and of what videos that play already get. */
const patientNiceness = 19;

/** One way to isolate a program, from the strongest to the weakest. */
interface Method {
  level: "bwrap" | "unshare";
  identity: Identity;
  hasProc: boolean;
  seccompFilter: Buffer | null;
}

/**
 * Finds the strongest isolation that works here: bubblewrap, then unshare with mounts of its own, then
 * only limits. Each is tried with a program that attempts what the sandbox must prevent. Over limits
 * alone, bwrap adds about 9 ms to an ffprobe run and unshare 42 ms, measured on two busy cores.
 * @param workRoot a folder that stays; a folder for mounts and the trials is created in it.
 * @param only restricts the choice, for tests.
 */
export async function createSandbox(
  workRoot: string,
  only: readonly SandboxLevel[] = ["bwrap", "unshare", "none"],
): Promise<Sandbox> {
  const [limit, hasNice] = await Promise.all([
    findLimitCommand(),
    runsWell(["nice", "-n", String(niceness), "true"]),
  ]);
  const prefix = (run: SandboxedRun): string[] =>
    hasNice && !run.isUrgent
      ? ["nice", "-n", String(run.isPatient ? patientNiceness : niceness)]
      : [];
  const mountPoint = path.join(workRoot, `kinora-mount-${process.getuid?.() ?? 0}`);
  await mkdir(mountPoint, { recursive: true, mode: 0o700 });

  let reason = "bwrap and unshare are missing";
  for (const method of listMethods(only)) {
    const sandbox = createIsolated(method, { limit, prefix, mountPoint });
    const problem = await tryOut(sandbox, workRoot);
    if (problem === null) return sandbox;
    reason = `${method.level}: ${problem}`;
  }
  if (!only.includes("none")) throw new Error(`this system permits no sandbox (${reason})`);
  return createUnisolated({ limit, prefix, reason });
}

function listMethods(only: readonly SandboxLevel[]): Method[] {
  if (process.platform !== "linux") return [];
  const filter = createSeccompFilter();
  const identities: Identity[] = process.getuid?.() === 0 ? ["drop", "map"] : ["map"];
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
  parts: { limit: LimitCommand; prefix: (run: SandboxedRun) => string[]; mountPoint: string },
): Sandbox {
  const system = listSystemFiles();
  // Since Linux 5.14 a user namespace counts its own processes.
  const countsProcesses = method.identity === "drop" || isKernelAtLeast(5, 14);
  const { identity, hasProc, seccompFilter } = method;
  return {
    level: method.level,
    description: [
      `media sandbox: ${method.level}, ${identity === "drop" ? "a user of its own" : "a user namespace"}, `,
      `only the job's files, no network, ${hasProc ? "" : "no /proc, "}own processes, `,
      seccompFilter === null ? "no seccomp filter" : "seccomp filter",
    ].join(""),
    async wrap(run) {
      if (identity === "drop") await giveToMediaUser(run);
      const program = findProgramFiles(run.program, process.env["PATH"] ?? "/usr/bin:/bin");
      const shared = { identity, hasProc, system, program, limit: parts.limit, countsProcesses };
      const command =
        method.level === "bwrap"
          ? bwrapCommand(run, { ...shared, hasSeccomp: seccompFilter !== null })
          : unshareCommand(run, { ...shared, mountPoint: parts.mountPoint });
      return toCommand([...parts.prefix(run), ...command], seccompFilter);
    },
  };
}

/** Limits, and an end with the parent. It reads and writes what this process may. */
async function createUnisolated(parts: {
  limit: LimitCommand;
  prefix: (run: SandboxedRun) => string[];
  reason: string;
}): Promise<Sandbox> {
  const tied = ["setpriv", "--pdeathsig", "KILL", "--no-new-privs"];
  const hasSetpriv = await runsWell([...tied, "true"]);
  return {
    level: "none",
    description: `no sandbox: media tools run with limits only (${parts.reason})`,
    wrap: async (run) =>
      toCommand(
        parts.limit(
          run.limits,
          [...parts.prefix(run), ...(hasSetpriv ? tied : []), run.program, ...run.args],
          false,
        ),
        null,
      ),
  };
}

function toCommand(command: string[], seccompFilter: Buffer | null): SandboxCommand {
  const [program = "", ...args] = command;
  return { program, args, seccompFilter };
}

/**
 * Makes the media user the owner of what it may read and write: the files are private, and only the
 * sandbox leads to them. Root keeps its access. Links are refused, since a tool could have left one.
 */
async function giveToMediaUser(run: SandboxedRun): Promise<void> {
  const paths = run.outputDir === null ? run.inputs : [...run.inputs, run.outputDir];
  for (const file of paths) {
    const handle = await open(
      file,
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
    try {
      const { uid } = await handle.stat();
      if (uid !== mediaUserId) await handle.chown(mediaUserId, mediaUserId);
    } finally {
      await handle.close();
    }
  }
}

function isKernelAtLeast(major: number, minor: number): boolean {
  const [ownMajor = 0, ownMinor = 0] = release().split(/[.-]/).map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

/** Runs a program that tests the sandbox from inside; null when it holds, else what went wrong. */
async function tryOut(sandbox: Sandbox, workRoot: string): Promise<string | null> {
  const folder = await mkdtemp(path.join(workRoot, "kinora-trial-"));
  try {
    const input = path.join(folder, "input");
    const secret = path.join(folder, "secret");
    const outputDir = path.join(folder, "output");
    await writeFile(input, "readable", { mode: 0o600 });
    await writeFile(secret, "secret", { mode: 0o644 });
    await mkdir(outputDir, { mode: 0o700 });
    // Traversable, so that only the sandbox can be what hides the secret.
    await chmod(folder, 0o755);
    const script = [
      `[ "$(id -u)" -ne 0 ] || exit 11`,
      `[ ! -e '${secret}' ] || exit 12`,
      `[ ! -e /etc/passwd ] && [ ! -e /root ] && [ ! -e /home ] || exit 13`,
      `cat '${input}' >'${outputDir}/copy' || exit 14`,
      `if ( : >>'${input}' ) 2>/dev/null; then exit 15; fi`,
    ].join("\n");
    const command = await sandbox.wrap({
      program: "sh",
      args: ["-c", script],
      cwd: outputDir,
      inputs: [input],
      outputDir,
      limits: { addressSpaceBytes: 2 ** 31, cpuS: 5, outputBytes: 2 ** 20 },
      isUrgent: true,
      isPatient: false,
    });
    const { code, stderr } = await runTrial(command);
    if (code !== 0) return stderr.trim().split("\n")[0] || `the trial ended with ${code}`;
    return (await readFile(path.join(outputDir, "copy"), "utf8")) === "readable"
      ? null
      : "its output does not arrive";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function runTrial(command: SandboxCommand): Promise<{ code: number | null; stderr: string }> {
  return new Promise((resolve, reject) => {
    let stderr = "";
    const { child, stderr: errors } = startSandboxed(command, {
      cwd: "/",
      env: { PATH: process.env["PATH"] },
    });
    errors.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), 10_000);
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ code, stderr });
    });
  });
}
