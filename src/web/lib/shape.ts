/**
 * Small parsers for what the server answers: the wire's schemas are written with zod, which is too
 * heavy for a visitor's first load. Unknown fields are dropped, wrong ones throw.
 */
export type Shape<T> = (value: unknown, path: string) => T;

export class ShapeError extends Error {
  constructor(path: string, expected: string) {
    super(`The server's answer is not as expected: ${path} is not ${expected}`);
    this.name = "ShapeError";
  }
}

export const text: Shape<string> = (value, path) => {
  if (typeof value !== "string") throw new ShapeError(path, "text");
  return value;
};

export const number: Shape<number> = (value, path) => {
  if (typeof value !== "number") throw new ShapeError(path, "a number");
  return value;
};

export const flag: Shape<boolean> = (value, path) => {
  if (typeof value !== "boolean") throw new ShapeError(path, "true or false");
  return value;
};

export function orNull<T>(shape: Shape<T>): Shape<T | null> {
  return (value, path) => (value === null || value === undefined ? null : shape(value, path));
}

export function oneOf<const T extends string>(...choices: T[]): Shape<T> {
  return (value, path) => {
    const found = choices.find((choice) => choice === value);
    if (found === undefined) throw new ShapeError(path, choices.join(" or "));
    return found;
  };
}

export function listOf<T>(shape: Shape<T>): Shape<T[]> {
  return (value, path) => {
    if (!Array.isArray(value)) throw new ShapeError(path, "a list");
    return value.map((item: unknown, index) => shape(item, `${path}[${index}]`));
  };
}

export function object<T extends object>(fields: { [Key in keyof T]-?: Shape<T[Key]> }): Shape<T> {
  return (value, path) => {
    if (typeof value !== "object" || value === null) throw new ShapeError(path, "an object");
    const source = new Map<string, unknown>(Object.entries(value));
    const result: Partial<T> = {};
    for (const key in fields) result[key] = fields[key](source.get(key), `${path}.${key}`);
    return result as T;
  };
}
