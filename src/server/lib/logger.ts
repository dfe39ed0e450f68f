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

/** Logger that receives the lines. */
interface Target {
  warn(fields: object, message: string): void;
}

/** Fields of a cause. `err` is its error. */
type Fields = { err?: unknown } & Record<string, unknown>;

interface Repetition {
  /** Number of events since the last line. */
  count: number;
  fields: Fields;
  message: string;
}

const intervalMs = 10_000;
const repetitionsOf = new WeakMap<Target, Map<string, Repetition>>();

/**
 * Logs events that may repeat many times a second, such as errors during an outage. Logs the first
 * one at once, then one line every ten seconds with the number of repetitions and the latest
 * reason, until the events stop.
 * @param cause events with the same cause share a line.
 */
export function warnLimited(logger: Target, cause: string, fields: Fields, message: string): void {
  const repetitions = repetitionsOf.get(logger) ?? new Map<string, Repetition>();
  repetitionsOf.set(logger, repetitions);
  const known = repetitions.get(cause);
  if (known !== undefined) {
    known.count += 1;
    Object.assign(known, { fields, message });
    return;
  }
  logger.warn(fields, message);
  const repetition: Repetition = { count: 0, fields, message };
  repetitions.set(cause, repetition);
  const timer = setInterval(() => {
    const { count, fields: latest } = repetition;
    if (count === 0) {
      clearInterval(timer);
      repetitions.delete(cause);
      return;
    }
    repetition.count = 0;
    // Leaves out the stack, because the first line contains it.
    const { err, ...others } = latest;
    const reason = typeof err === "object" && err !== null && "message" in err ? err.message : err;
    const seconds = intervalMs / 1000;
    logger.warn({ ...others, reason, repeated: count, seconds }, repetition.message);
  }, intervalMs).unref();
}

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
