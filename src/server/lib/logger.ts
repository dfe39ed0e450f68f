import { pino, type DestinationStream, type Logger as PinoLogger } from "pino";

/**
 * Logged fields. `table` and `constraint` identify the violated rule of a PostgreSQL statement. Its
 * `detail` isn't logged because it would contain values of rows.
 */
const textFields = ["message", "code", "table", "constraint", "stack"] as const;
const maxCauses = 4;

/**
 * Returns the fields of an error to log. Only listed fields are logged, because errors may contain
 * anything. A database error contains the whole client, with buffers and a password.
 */
function describeError(error: unknown, depth = 0): unknown {
  if (typeof error !== "object" || error === null) return error;
  const read = (name: string): unknown => Reflect.get(error, name);
  const texts = textFields.map((name) => [name, read(name)] as const);
  const isAggregate = error instanceof AggregateError;
  const hasCause = read("cause") !== undefined && depth < maxCauses;
  return {
    type: error.constructor.name,
    message: "",
    ...Object.fromEntries(texts.filter(([, value]) => typeof value === "string")),
    // A host with several addresses has one error per address.
    ...(isAggregate ? { errors: error.errors.map(String) } : {}),
    ...(hasCause ? { cause: describeError(read("cause"), depth + 1) } : {}),
  };
}

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
