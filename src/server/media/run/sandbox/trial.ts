import { spawn } from "node:child_process";
import { hasCode, OperatorError } from "#server/lib/app-error.ts";

/** Time limits of the attempts. On a busy machine, even a quick command takes many seconds. */
const trialLimitsMs = [10_000, 30_000, 90_000] as const;

/**
 * Errors of a machine that is temporarily short of resources. They don't prove that it lacks a
 * feature.
 */
const shortages =
  /Resource temporarily unavailable|Cannot allocate memory|Cannot fork|Too many open/;

/**
 * Returns whether the outcome of a trial is inconclusive: it was too slow, was killed, or the
 * machine is short of resources.
 */
export const isInconclusive = (outcome: { code: number | null; stderr: string }): boolean =>
  outcome.code === null || shortages.test(outcome.stderr);

/**
 * Repeats an inconclusive trial with longer limits.
 * @param trial resolves to null if it is inconclusive.
 * @throws OperatorError if all attempts are inconclusive, because a guess could weaken the sandbox.
 */
export async function repeatTrial<T>(
  what: string,
  trial: (limitMs: number) => Promise<T | null>,
  limitsMs: readonly number[] = trialLimitsMs,
): Promise<T> {
  for (const limitMs of limitsMs) {
    const outcome = await trial(limitMs);
    if (outcome !== null) return outcome;
  }
  throw new OperatorError(
    `The machine is too busy to test ${what}: no attempt finished within ${(limitsMs.at(-1) ?? 0) / 1000} s. Start again when it has processor time and memory to spare.`,
  );
}

/** Returns whether a command starts and exits with 0. */
export function runsWell(command: string[]): Promise<boolean> {
  const [program = "", ...args] = command;
  return repeatTrial(
    program,
    (timeout) =>
      new Promise((resolve) => {
        const child = spawn(program, args, { stdio: "ignore", timeout, killSignal: "SIGKILL" });
        child.on("error", (error) => resolve(isShortage(error) ? null : false));
        child.on("exit", (code) => resolve(code === null ? null : code === 0));
      }),
  );
}

/** Returns whether a process couldn't start because the machine is short of resources. */
export const isShortage = (error: unknown): boolean =>
  hasCode(error, "EAGAIN", "ENOMEM", "EMFILE", "ENFILE");
