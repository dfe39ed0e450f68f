import { warnLimited } from "./limited-log.ts";
import type { Logger } from "./logger.ts";

/**
 * Sends `console.warn` and `console.error` to the log, which has one JSON object per line. Page
 * code reports failures to the console, because it runs both in browsers and here.
 */
export function logConsole(logger: Logger): void {
  const report = (first: unknown, ...others: unknown[]) => {
    const texts = [first, ...others].filter((value) => typeof value !== "object");
    const message = texts.map(String).join(" ") || "a failure without a text";
    const err = [first, ...others].find((value) => value instanceof Error);
    warnLimited(logger, `console ${message}`, err === undefined ? {} : { err }, message);
  };
  console.warn = report;
  console.error = report;
}
