import { describeError } from "./describe-error.ts";
import { pino, type DestinationStream, type Logger as PinoLogger } from "pino";

/**
 * Logger for operators that writes one JSON line per event. The log contains no secrets and no full
 * addresses of visitors.
 */
export type Logger = PinoLogger;

export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

export function createLogger(level: LogLevel, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      // Several processes write to the same log.
      base: { pid: process.pid },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      serializers: { err: (error: unknown) => describeError(error) },
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: ["password", "token", "*.password", "*.token", "req.headers"],
        censor: "[removed]",
      },
    },
    ...(destination === undefined ? [] : [destination]),
  );
}
