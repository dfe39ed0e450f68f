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
