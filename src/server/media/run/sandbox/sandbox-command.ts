import path from "node:path";
import type { ProcessLimits } from "./limit-command.ts";

/** Run of a media tool that isn't in a sandbox yet. */
export interface SandboxedRun {
  program: string;
  args: string[];
  /** Working directory. It is empty unless it is the output folder. */
  cwd: string;
  /** Files it may read. */
  inputs: readonly string[];
  /** The only folder that it may write to. */
  outputDir: string | null;
  limits: ProcessLimits;
  /** True if a user is waiting for the result. The run then has normal priority. */
  isUrgent: boolean;
  /** True if nothing waits for the result. The run then comes after all other work. */
  isLowPriority: boolean;
}

export interface SandboxCommand {
  program: string;
  args: string[];
  /** Filter passed as file descriptor 3. */
  seccompFilter: Buffer | null;
}

/**
 * User of the media tools. Under root it is a real user that owns nothing else: Debian assigns the
 * id to no account. Under other users, the tools have this id only inside their user namespace.
 */
export const mediaUserId = 65533;

/** `drop` changes to the media user (under root). `map` maps that user to the current one. */
export type Identity = "drop" | "map";

/**
 * Returns a command that drops all root rights. Sets the parent-death signal last, because changing
 * the user clears it.
 */
export function dropToMediaUser(identity: Identity): string[] {
  const user =
    identity === "drop"
      ? [`--reuid=${mediaUserId}`, `--regid=${mediaUserId}`, "--clear-groups"]
      : [];
  return ["setpriv", "--pdeathsig", "KILL", ...user, "--no-new-privs", "--inh-caps=-all"];
}

/** Returns every folder above these paths, outermost first. */
export function listParents(paths: readonly string[]): string[] {
  const parents = new Set<string>();
  for (const each of paths) {
    for (let at = path.dirname(each); at !== "/"; at = path.dirname(at)) parents.add(at);
  }
  return [...parents].toSorted();
}

/** Quotes a text for a shell. */
export const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

export const isInside = (file: string, folder: string | null): boolean =>
  folder !== null && (file === folder || file.startsWith(`${folder}/`));
