import { z } from "zod";
import type { Random } from "../reference/random.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { KnownValues } from "./known-values.ts";
import { longText, oddNumber, oddText, oddValue, prototypeKeys } from "./odd-values.ts";

interface Source {
  random: Random;
  known: KnownValues;
}

/** Fields that contain ids or names of rows, with the source of their values. */
const knownFields: Readonly<Record<string, string>> = {
  ids: "videos",
  uploadId: "uploads",
  shown: "videos",
  category: "categories",
  tag: "tags",
  actor: "actors",
  categories: "categories",
  tags: "tags",
  actors: "actors",
  names: "tags",
  targetCategories: "categories",
  entityId: "videos",
  cursor: "cursor",
  serve: "serve",
  version: "version",
  ref: "ref",
};

const words = ["Harbour at dawn", "night walk", "Zoë", "travel", "a", "zqx", "music 4k", "東京"];
const addresses = [
  "https://example.invalid/a?b=c",
  "http://127.0.0.1:1/vast.xml",
  "http://[::1]/x.mp4",
  "https://10.0.0.1/tag",
];
/** Values for patterns and formats. The first one that fits is used. */
const shaped = [
  ...addresses,
  "2026-03-31",
  "2026-02-30",
  "0000-01-01",
  "9999-12-31",
  "2026-03-31T12:00:00Z",
  "0000-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999-14:00",
  "/home",
  "en",
  "spring-2026",
  "someone@example.test",
  "01900000-0000-7000-8000-000000000001",
];

function validText(schema: JsonSchema, { random }: Source): string {
  if (schema.pattern !== undefined) {
    const pattern = new RegExp(schema.pattern, "u");
    const fitting = shaped.filter((text) => pattern.test(text));
    return fitting.length === 0 ? "a" : random.pick(fitting);
  }
  const text = random.below(4) === 0 ? random.pick(shaped) : random.pick(words);
  if (random.below(8) > 0) return text;
  const { minLength = 0, maxLength = 200 } = schema;
  return text.padEnd(random.below(2) === 0 ? minLength : maxLength, "x").slice(0, maxLength);
}

function validNumber(schema: JsonSchema, { random }: Source): number {
  const { minimum = schema.exclusiveMinimum ?? 0, maximum = 1000 } = schema;
  const [low, high] = [Math.max(minimum, -1e15), Math.min(maximum, 1e15)];
  if (random.below(4) === 0) return random.pick([low, high]);
  const near = low + random.next() * Math.min(high - low, 100);
  return schema.type === "integer" ? Math.ceil(near) : near;
}

/** Returns a value that the schema accepts. */
function validValue(schema: JsonSchema, name: string, source: Source): unknown {
  const { random, known } = source;
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) return validValue(random.pick(options), name, source);
  if (schema.allOf !== undefined) {
    return Object.assign(
      {},
      ...schema.allOf.map((part) => validValue(part, name, source)),
    ) as unknown;
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return random.pick(schema.enum);
  const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type;
  if (type === "object") return validObject(schema, source);
  if (type === "array") {
    const { items = {}, minItems = 0, maxItems = 4 } = schema;
    const length = minItems + random.below(Math.min(maxItems, 4) - Math.min(minItems, 4) + 1);
    return Array.from({ length }, () => validValue(items, name, source));
  }
  if (type === "boolean") return random.below(2) === 0;
  if (type === "null") return null;
  const kind = knownFields[name];
  const found = kind === undefined || random.below(3) === 0 ? null : known.pick(kind, random);
  if (kind === "cursor" && found !== null && random.below(2) === 0)
    return alterCursor(found, source);
  if (type === "number" || type === "integer") return Number(found ?? validNumber(schema, source));
  return found === null ? validText(schema, source) : String(found);
}

const cursorPart = z.record(z.string(), z.unknown());

/** Returns a real cursor with one changed part. */
function alterCursor(cursor: string | number, { random }: Source): string {
  try {
    const text = Buffer.from(String(cursor), "base64url").toString();
    const content = cursorPart.parse(JSON.parse(text));
    const name = random.pick(Object.keys(content));
    const inner = cursorPart.safeParse(content[name]);
    const part = inner.success ? inner.data : content;
    part[inner.success ? random.pick(Object.keys(part)) : name] = random.pick([
      ...["2026-02-30T00:00:00.000000Z", "0000-01-01T00:00:00.000000Z", "9".repeat(18), "1e99"],
      oddNumber(random),
      oddValue(random),
    ]);
    return Buffer.from(JSON.stringify(content)).toString("base64url");
  } catch {
    return `${cursor}${random.pick(["x", "_", "0", "%"])}`;
  }
}

function validObject(schema: JsonSchema, source: Source): Record<string, unknown> {
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {}).filter(
    ([name]) => required.has(name) || source.random.below(2) === 0,
  );
  return Object.fromEntries(
    fields.map(([name, part]) => [name, validValue(part, name, source)] as const),
  );
}

/**
 * Returns a value for one field. It is usually valid, but may be at or beyond its bounds or of
 * another type.
 */
export function anyValue(schema: JsonSchema, name: string, source: Source): unknown {
  const { random } = source;
  const kind = random.below(10);
  if (kind < 6) return validValue(schema, name, source);
  if (kind < 7) return longText(random);
  if (kind < 8) return oddNumber(random);
  return kind < 9 ? oddText(random) : oddValue(random);
}

/**
 * Returns a body for the schema. It may be valid, have odd, missing or unknown fields, or be of
 * another type.
 */
export function anyBody(schema: JsonSchema, source: Source): unknown {
  const { random } = source;
  const kind = random.below(20);
  if (kind === 0) return oddValue(random);
  const body = validValue(schema, "", source);
  if (kind < 9 || typeof body !== "object" || body === null) return body;
  const fields = new Map<string, unknown>(Object.entries(body));
  const properties = Object.entries(schema.properties ?? {});
  if (kind < 16 && properties.length > 0) {
    for (let changes = 1 + random.below(2); changes > 0; changes -= 1) {
      const [name, part] = random.pick(properties);
      fields.set(name, anyValue(part, name, source));
    }
  } else if (kind < 18) {
    fields.set(random.pick([...prototypeKeys, "id", "role", "unknown", ""]), oddValue(random));
  } else {
    const names = [...fields.keys()];
    if (names.length > 0) fields.delete(random.pick(names));
  }
  return Object.fromEntries(fields);
}
