import type { Config } from "#server/config.ts";
import { createLogger, type Logger } from "#server/lib/logger.ts";

/** Prints a line for the user at the terminal. */
export type Say = (line: string) => void;

/** Prints the output of a command. */
export const say: Say = (line) => {
  process.stdout.write(`${line}\n`);
};

/**
 * Returns what prints lines of the service, such as its address. Without a terminal, standard output
 * is a log of JSON objects, so each line becomes one, whatever the log level.
 */
export function createSay({ mode }: Config): Say {
  if (mode === "development" || process.stdout.isTTY) return say;
  const logger = createLogger("info");
  return (line) => logger.info(line);
}

/** Sends Node.js's warnings to the log. By default, they are text on standard error. */
export function logWarnings(logger: Logger): void {
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message }) => logger.warn({ name }, message));
}

/** Lets the process continue after the program that reads its output has ended. */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}
