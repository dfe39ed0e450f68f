/**
 * Logged fields. `table` and `constraint` identify the failed rule of a PostgreSQL statement. Its
 * `detail` would contain values of rows.
 */
const textFields = ["message", "code", "table", "constraint", "stack"] as const;
const maxCauses = 4;

/**
 * Returns the logged fields of an error. Only listed ones, since errors may contain anything: a
 * database's contain the whole client, with buffers and a password.
 */
export function describeError(error: unknown, depth = 0): unknown {
  if (typeof error !== "object" || error === null) return error;
  const read = (name: string): unknown => Reflect.get(error, name);
  const texts = textFields.map((name) => [name, read(name)] as const);
  const isAggregate = error instanceof AggregateError;
  const hasCause = read("cause") !== undefined && depth < maxCauses;
  return {
    type: error.constructor.name,
    message: "",
    ...Object.fromEntries(texts.filter(([, value]) => typeof value === "string")),
    // One error per address of a host.
    ...(isAggregate ? { errors: error.errors.map(String) } : {}),
    ...(hasCause ? { cause: describeError(read("cause"), depth + 1) } : {}),
  };
}
