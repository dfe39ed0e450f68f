/** The logger that lines go to. */
interface Target {
  warn(fields: object, message: string): void;
}

interface Repetition {
  /** How often it was reported since its last line. */
  count: number;
  fields: object;
  message: string;
}

const intervalMs = 10_000;
const repetitionsOf = new WeakMap<Target, Map<string, Repetition>>();

/**
 * Logs what may repeat many times a second, such as the errors of an outage: at once the first time,
 * then one line every ten seconds with the number of repetitions, until it stops.
 * @param cause lines of the same cause are one.
 */
export function warnLimited(logger: Target, cause: string, fields: object, message: string): void {
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
    const { count, ...latest } = repetition;
    if (count === 0) {
      clearInterval(timer);
      repetitions.delete(cause);
      return;
    }
    repetition.count = 0;
    const seconds = intervalMs / 1000;
    logger.warn({ ...latest.fields, repeated: count, seconds }, latest.message);
  }, intervalMs).unref();
}
