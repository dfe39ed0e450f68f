import path from "node:path";
import type { ProcessLimits } from "./limit-command.ts";

/** A run of a media tool, before it is put into a sandbox. */
export interface SandboxedRun {
  program: string;
  args: string[];
  /** The working directory. Outside of the output folder it is empty. */
  cwd: string;
  /** Files that it may read. */
  inputs: readonly string[];
  /** The only folder that it may write to. */
  outputDir: string | null;
  limits: ProcessLimits;
  /** A user waits for the result: normal priority. */
  isUrgent: boolean;
  /** Nothing waits for it: after all other work. */
  isPatient: boolean;
}

export interface SandboxCommand {
  program: string;
  args: string[];
  /** Passed as file descriptor 3. */
  seccompFilter: Buffer | null;
}

/**
 * The user of the media tools. As root it is a real one, which owns nothing else: Debian assigns
 * the id to no account. A plain user's tools have this id inside of their user namespace only.
 */
export const mediaUserId = 65533;

/** As root: drop to the media user. Elsewhere: map it to the own user. */
export type Identity = "drop" | "map";

/** Drops all of root's rights. The parent-death signal comes last: a change of user clears it. */
export function dropToMediaUser(identity: Identity): string[] {
  const user =
    identity === "drop"
      ? [`--reuid=${mediaUserId}`, `--regid=${mediaUserId}`, "--clear-groups"]
      : [];
  return ["setpriv", "--pdeathsig", "KILL", ...user, "--no-new-privs", "--inh-caps=-all"];
}

/** Every folder above these paths, outermost first. */
export function listParents(paths: readonly string[]): string[] {
  const parents = new Set<string>();
  for (const each of paths) {
    for (let at = path.dirname(each); at !== "/"; at = path.dirname(at)) parents.add(at);
  }
  return [...parents].toSorted();
}

export const isInside = (file: string, folder: string | null): boolean =>
  folder !== null && (file === folder || file.startsWith(`${folder}/`));
