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
    // A host with several addresses has one error per address.
    ...(isAggregate ? { errors: error.errors.map(String) } : {}),
    ...(hasCause ? { cause: describeError(read("cause"), depth + 1) } : {}),
  };
}
