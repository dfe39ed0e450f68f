import type { Random } from "../reference/random.ts";
import { kindOf, type KnownValues } from "./known-values.ts";
import { oddText, oddTexts } from "./odd-values.ts";
import type { Operation } from "./operations.ts";
import { anyValue } from "./schema-values.ts";

interface Source {
  random: Random;
  known: KnownValues;
}

const brokenParts = [
  "%",
  "%0",
  "%zz",
  "%00",
  "%2e%2e%2f",
  "%2F",
  "%ff",
  "%ed%a0%80",
  "%u0041",
  "..",
  ".",
];

/** Percent-encodes a text, even with unpaired surrogates. */
const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

/** Encodes any text for a request line, which can't contain spaces or control characters. */
const asRaw = (text: string): string =>
  Buffer.from(text.toWellFormed(), "utf8")
    .toString("latin1")
    .replaceAll(/[\0-\u0020\u007f]/g, "");

function pathPart(name: string, kind: string, { random, known }: Source): string {
  if (name === "name") return random.pick(["terms", "privacy", "contact", "source", "other"]);
  if (name === "language") return random.pick(["en", "de", "ar", "xx"]);
  if (name === "part") return random.pick(["0", "1", "2", "01", "-1", "999999", "1e3", "x"]);
  const isPath = name === "path";
  const choice = random.below(20);
  const found = known.pick(isPath ? "media" : kind, random);
  if (found !== null && choice < 14) return isPath ? String(found) : encode(String(found));
  if (choice < 15) return random.pick(brokenParts);
  if (choice < 16) return encode(random.pick(brokenParts));
  if (choice < 17) return asRaw(oddText(random)).slice(0, 3000);
  const text = isPath ? `${random.pick(["media", "media/v", "api", "media/public"])}/` : "";
  return (
    text + encode(random.below(3) === 0 ? oddText(random) : random.pick(oddTexts)).slice(0, 6000)
  );
}

function queryPair(name: string, value: unknown, random: Random): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const shown = random.below(15) === 0 ? asRaw(text).replaceAll("#", "") : encode(text);
  return `${random.below(15) === 0 ? encode(name + random.pick(["[]", "[a]", ".b"])) : name}=${shown}`;
}

function queryString(operation: Operation, source: Source): string {
  const { random } = source;
  const pairs = operation.query
    .filter(() => random.below(2) === 0)
    .map(({ name, schema }) => queryPair(name, anyValue(schema, name, source), random));
  if (pairs.length > 0 && random.below(12) === 0) pairs.push(random.pick(pairs));
  if (random.below(15) === 0) {
    const extra = [
      "=",
      "&&",
      "a",
      "%=%",
      "__proto__=1",
      "__proto__[x]=1",
      "limit=1&limit=2",
      "?",
      ";",
    ];
    pairs.push(random.pick(extra));
  }
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`.slice(0, 12_000);
}

/** Returns a URL for the operation, usually of an existing row. */
export function makePath(operation: Operation, source: Source): string {
  const { random } = source;
  const kind = kindOf(operation.path);
  let path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    pathPart(name, kind, source),
  );
  if (random.below(60) === 0) path += random.pick(["/", "//", "/.", ";x", "%20", "/x", "%00"]);
  if (random.below(80) === 0)
    path = random.pick([
      path.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase()),
      `/${path}`,
      path.slice(0, -1),
    ]);
  return (path.startsWith("/") ? path : `/${path}`) + queryString(operation, source);
}
