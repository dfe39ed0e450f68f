/**
 * Lightweight replacement for a zod schema, substituted by the build (setup/light-schemas.ts),
 * because zod is too large for a first load. It checks types and drops unknown fields. The server
 * checks formats and ranges.
 */
export interface WireSchema {
  /** Throws if the value doesn't match the contract. */
  parse(value: unknown, path?: string): unknown;
}

function fail(path: string, expected: string): never {
  throw new TypeError(`Unexpected response: ${path} is not ${expected}`);
}

const primitive = (type: "string" | "number" | "boolean"): WireSchema => ({
  parse: (value, path = "response") => (typeof value === type ? value : fail(path, `a ${type}`)),
});

export const text = primitive("string");
export const number = primitive("number");
export const flag = primitive("boolean");
export const anything: WireSchema = { parse: (value) => value };

export const orNull = (inner: WireSchema): WireSchema => ({
  parse: (value, path) => (value === null ? null : inner.parse(value, path)),
});

export const orAbsent = (inner: WireSchema): WireSchema => ({
  parse: (value, path) => (value === undefined ? undefined : inner.parse(value, path)),
});

export const oneOf = (choices: readonly unknown[]): WireSchema => ({
  parse: (value, path = "response") =>
    choices.includes(value) ? value : fail(path, `one of ${choices.join(", ")}`),
});

export const anyOf = (options: readonly WireSchema[]): WireSchema => ({
  parse(value, path = "response") {
    for (const option of options) {
      try {
        return option.parse(value, path);
      } catch {
        // Another option may match.
      }
    }
    return fail(path, "one of the alternatives");
  },
});

export const listOf = (item: WireSchema): WireSchema => ({
  parse(value, path = "response") {
    if (!Array.isArray(value)) return fail(path, "a list");
    return value.map((each: unknown, index) => item.parse(each, `${path}[${index}]`));
  },
});

export const object = (fields: Record<string, WireSchema>): WireSchema => ({
  parse(value, path = "response") {
    if (typeof value !== "object" || value === null) return fail(path, "an object");
    const source = new Map<string, unknown>(Object.entries(value));
    const result: Record<string, unknown> = {};
    for (const [key, field] of Object.entries(fields)) {
      const read = field.parse(source.get(key), `${path}.${key}`);
      if (read !== undefined) result[key] = read;
    }
    return result;
  },
});
