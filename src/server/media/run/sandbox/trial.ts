import { spawn } from "node:child_process";
import { OperatorError } from "#server/lib/operator-error.ts";

/** How long each attempt of a trial may take. On a busy machine a quick command takes many seconds. */
export const trialLimitsMs = [10_000, 30_000, 90_000] as const;

/** Error texts of a machine that is short of something now. They say nothing about its abilities. */
const shortages =
  /Resource temporarily unavailable|Cannot allocate memory|Cannot fork|Too many open/;

/** Whether the outcome of a trial says nothing: it was too slow, was killed, or the machine is short. */
export const isInconclusive = (outcome: { code: number | null; stderr: string }): boolean =>
  outcome.code === null || shortages.test(outcome.stderr);

/**
 * Repeats a trial with longer limits while its outcome says nothing.
 * @param trial resolves to null while inconclusive.
 * @throws OperatorError where no attempt has an outcome: a guess could weaken the sandbox.
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
    `The machine is too busy to test ${what}: no attempt ended within ${(limitsMs.at(-1) ?? 0) / 1000} s. Start again when it has processor time and memory to spare.`,
  );
}

/** Whether a command can be started and ends with 0. */
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

/** Whether a process could not be started because the machine is short of something. */
export const isShortage = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  ["EAGAIN", "ENOMEM", "EMFILE", "ENFILE"].includes(String(error.code));
