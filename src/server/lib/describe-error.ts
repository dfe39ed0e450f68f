/**
 * `table` and `constraint` say what a statement of PostgreSQL ran into. Its `detail` would hold values
 * of rows.
 */
const textFields = ["message", "code", "table", "constraint", "stack"] as const;
const maxCauses = 4;

/**
 * What a log line says of an error. Fields are listed, since errors carry anything: those of a
 * database its whole client, with buffers and a password.
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
    // One for each address of a host.
    ...(isAggregate ? { errors: error.errors.map(String) } : {}),
    ...(hasCause ? { cause: describeError(read("cause"), depth + 1) } : {}),
  };
}
