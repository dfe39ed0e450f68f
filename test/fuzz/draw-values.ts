import fc, { type Arbitrary } from "fast-check";
import { z } from "zod";

export type JsonSchema = z.core.JSONSchema.JSONSchema;

/** Draws from the second source only now and then. */
export const mostly = <T>(usual: Arbitrary<T>, rare: Arbitrary<T>, weight = 12): Arbitrary<T> =>
  fc.oneof({ withCrossShrink: true }, { weight, arbitrary: usual }, { weight: 1, arbitrary: rare });

/** Texts that mean something to a parser, to SQL, to HTML or to a search, and broken bytes. */
const oddTexts = [
  ..."null NaN true -1 1e999 0x10 1,2,3 __proto__ constructor % %_% \\ (((( $1 ${7*7} ]]> ..".split(
    " ",
  ),
  ..."../../etc/passwd file:///etc javascript:alert(1) http://[::1 https://a@b:99999/".split(" "),
  ..."//evil.example /\\evil.example a@b 2026-02-30 -271821-04-20T00:00:00Z %2e%2e%2f %ff".split(
    " ",
  ),
  ...["", " ", "\t\n\r", "\0", "a\0b", "\u0001\u001f\u0085", "\ud800", "\udc00x", "\ufeffmark"],
  ...["\uffff", "e\u0301", "ﬀ İ ı ß ẞ", "\u202eright to left", "👨‍👩‍👧‍👦", "<script>1</script>"],
  ...["a & b | !c <-> (d):*", '"unclosed phrase', "' OR 1=1 --", "%ed%a0%80", "%zz"],
  // Secret texts of the seeded site begin like this.
  "zqx",
];
/** Texts around and far above the limits of fields. */
const longTexts = ["a", "é", "😀", " "].flatMap((text) =>
  [81, 201, 256, 14_000].map((length) => text.repeat(length)),
);
export const oddText = mostly(
  fc.constantFrom(...oddTexts, ...longTexts),
  fc.string({ unit: "binary", maxLength: 40 }),
  4,
);

/** JSON values of an unexpected type, size or depth. */
export const oddValue: Arbitrary<unknown> = fc.oneof(
  oddText,
  fc.double(),
  fc.constantFrom(0, -1, 0.1, 2 ** 31, -(2 ** 31) - 1, 2 ** 32, 2 ** 53, 2 ** 63, 1e308, 5e-324),
  fc.jsonValue({ maxDepth: 3 }),
  fc.array(oddText, { minLength: 51, maxLength: 300 }),
  fc
    .constantFrom('{"__proto__":{"polluted":true}}', `${"[".repeat(1000)}${"]".repeat(1000)}`)
    .map((text): unknown => JSON.parse(text)),
);

/** Kinds of rows by the names of their fields and of parts of paths. */
const kinds = new Map(
  Object.entries({
    videos: "ids shown entityId video embed feed",
    categories: "category categories targetCategories",
    ...{ tags: "tag tags names", actors: "actor actors", ads: "spots", uploads: "uploadId" },
    ...{ cursor: "cursor nextCursor", serve: "serve", version: "version", ref: "ref code" },
  }).flatMap(([kind, names]) => names.split(" ").map((name) => [name, kind])),
);
/** Returns the kind of ids in a path, such as `videos` for `/api/admin/videos/{id}`. */
export function kindOf(path: string): string {
  const name = /^(?:\/api)?(?:\/admin)?\/([^/?]*)/.exec(path)?.[1] ?? "";
  return kinds.get(name) ?? name;
}

export type KnownValues = ReturnType<typeof createKnownValues>;

const maxPerKind = 40;
const fieldsOf = z.record(z.string(), z.unknown()).catch({});

/** Collects ids and tokens, so that calls reach existing rows. */
export function createKnownValues() {
  const values = new Map<string, string[]>();
  function add(kind: string, value: string): void {
    const list = new Set(values.get(kind)).add(value);
    // The first values belong to seeded rows.
    values.set(kind, [...list].toSpliced(maxPerKind / 2, list.size > maxPerKind ? 1 : 0));
  }
  /** Collects the values of a JSON response with rows of this kind. */
  function harvest(kind: string, json: unknown, depth = 0): void {
    const entries = Object.entries(Array.isArray(json) ? json.slice(0, 3) : fieldsOf.parse(json));
    for (const [name, value] of depth > 4 ? [] : entries) {
      const inner = kinds.get(name) ?? kind;
      if (typeof value !== "string") harvest(inner, value, depth + 1);
      else if (/^(id|slug|nextCursor|serve|version|code)$/.test(name)) add(inner, value);
    }
  }
  const draw = (kind: string): Arbitrary<string> =>
    fc.nat(maxPerKind - 1).map((number) => {
      const list = values.get(kind) ?? [];
      return list[number % list.length] ?? "x";
    });
  return { add, harvest, draw };
}

/** Usual texts, and values of patterns and formats at their bounds. */
const usualTexts = [
  ...["https://example.invalid/a?b=c", "http://127.0.0.1:1/vast.xml", "https://10.0.0.1/tag"],
  ...["0000-01-01", "9999-12-31", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999-14:00"],
  ...["Harbour at dawn", "night walk", "Zoë", "東京", "/home", "en", "someone@example.test"],
];
function validText({ pattern, minLength = 0, maxLength = 200 }: JsonSchema): Arbitrary<string> {
  if (pattern === undefined) {
    const bounds = [minLength, maxLength].map((length) => "x".repeat(length));
    const drawn = fc.string({ unit: "grapheme", minLength, maxLength });
    return mostly(fc.constantFrom(...usualTexts, ...bounds), drawn, 3);
  }
  const expression = new RegExp(pattern, "u");
  const fitting = fc.constantFrom("a", ...usualTexts.filter((text) => expression.test(text)));
  // fast-check can't build texts for patterns that look ahead.
  return pattern.includes("(?!") ? fitting : fc.oneof(fitting, fc.stringMatching(expression));
}

/** Replaces the first or the last value in a cursor, which is a JSON object. */
const alterCursor = (cursor: string): Arbitrary<string> =>
  fc.tuple(fc.constantFrom("", "(?=\\}*$)"), oddValue).map(([end, value]) => {
    const text = Buffer.from(cursor, "base64url").toString();
    const part = new RegExp(`(?<=:)("[^"]*"|[\\d.]+)${end}`);
    const altered = text.replace(part, () => JSON.stringify(value) ?? "");
    return Buffer.from(altered).toString("base64url");
  });

/** Draws values that a schema accepts. `name` is the field that holds them. */
function validValue(
  schema: JsonSchema["items"],
  name: string,
  known: KnownValues,
): Arbitrary<unknown> {
  if (typeof schema !== "object" || Array.isArray(schema)) return fc.jsonValue();
  const { type, minimum: min = 0, maximum: max = 1000, minItems: minLength = 0 } = schema;
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return fc.oneof(...options.map((option) => validValue(option, name, known)));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (type === "boolean") return fc.boolean();
  if (type === "null") return fc.constant(null);
  if (type === "number") return fc.double({ min, max, noNaN: true });
  if (type === "integer") {
    const least = Math.max(min, -(2 ** 31));
    return fc.integer({ min: least, max: Math.max(least, Math.min(max, 2 ** 31)) });
  }
  if (type === "array") {
    const item = validValue(schema.items, name, known);
    return fc.array(item, { minLength, maxLength: minLength + 4 });
  }
  if (type === "object") {
    const fields = Object.entries(schema.properties ?? {}).map(([field, part]) => {
      const value = validValue(part, field, known);
      const isRequired = schema.required?.includes(field) === true;
      // An undefined field is absent from JSON.
      return [field, isRequired ? value : mostly(fc.constant(undefined), value, 2)] as const;
    });
    return fc.record(Object.fromEntries(fields));
  }
  const kind = kinds.get(name);
  const found = kind === undefined ? validText(schema) : known.draw(kind);
  return kind === "cursor" ? fc.oneof(found, found.chain(alterCursor)) : found;
}

/** Draws values of a field: usually valid ones, but also any other. */
export const anyValue = (schema: JsonSchema, name: string, known: KnownValues) =>
  mostly(validValue(schema, name, known), oddValue, 5);

/** Draws bodies: valid ones, and ones with odd, missing or unknown fields. */
export function anyBody(schema: JsonSchema, known: KnownValues): Arbitrary<unknown> {
  const name = fc.constantFrom(...Object.keys(schema.properties ?? {}), "id", "role", "");
  const change = fc.dictionary(name, fc.option(oddValue, { nil: undefined }), { maxKeys: 2 });
  const changed = fc
    .tuple(validValue(schema, "", known), mostly(fc.constant({}), change, 1))
    .map(([body, fields]): unknown => (typeof body === "object" ? { ...body, ...fields } : body));
  return mostly(changed, oddValue, 19);
}
