import type { Random } from "../reference/random.ts";

/** Texts that break code that expects plain ones. Canaries begin like the last text. */
export const oddTexts: readonly string[] = [
  "",
  " ",
  "\t\n\r",
  "\0",
  "a\0b",
  "\u0001\u001f\u007f\u0085",
  "\ud800",
  "\udc00x\ud83d",
  "\ufeffmark",
  "\uffff\ufffe",
  "é",
  "e\u0301",
  "ﬀ İ ı ß ẞ ſ",
  "مرحبا \u202eright to left\u202c",
  "👨‍👩‍👧‍👦🏳️‍🌈",
  "日本語タイトル",
  "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L",
  "null",
  "undefined",
  "NaN",
  "-Infinity",
  "true",
  "0",
  "-1",
  "1e999",
  "0x10",
  "1,2,3",
  ",",
  "__proto__",
  "constructor",
  "hasOwnProperty",
  "toString",
  "' OR 1=1 --",
  '"; drop table videos; --',
  "%",
  "%_%",
  "\\",
  "\\x",
  "'\\",
  "a & b | !c <-> (d):*",
  "((((",
  '"unclosed phrase',
  "*:*",
  "$1",
  "${7*7}",
  "{{7*7}}",
  "<script>alert(1)</script>",
  "]]>",
  "&lt;&#0;",
  "../../../../etc/passwd",
  "..\\..\\windows",
  "/etc/passwd",
  "C:\\",
  "file:///etc/passwd",
  "javascript:alert(1)",
  "http://",
  "http://[::1",
  "http://127.0.0.1:1/",
  "https://a@b:99999/",
  "//evil.example",
  "/\\evil.example",
  "a@b",
  "1969-12-31",
  "0000-00-00",
  "2026-02-30",
  "9999-12-31",
  "-271821-04-20T00:00:00Z",
  "+275760-09-13T00:00:00Z",
  "2026-01-01T00:00:00+99:99",
  "01900000-0000-7000-8000-000000000000",
  "00000000-0000-0000-0000-000000000000",
  "ffffffff-ffff-ffff-ffff-ffffffffffff",
  "01900000000070008000000000000000",
  "zqx",
];

const oddNumbers: readonly number[] = [
  0,
  -0,
  -1,
  0.1,
  1e-7,
  -0.5,
  255,
  256,
  32768,
  65536,
  2147483647,
  2147483648,
  -2147483649,
  4294967296,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  2 ** 63,
  1e21,
  1e308,
  5e-324,
];

/** Returns a text with a length around or far above the limits of fields. */
export function longText(random: Random): string {
  const length = random.pick([79, 80, 81, 120, 200, 201, 255, 256, 1000, 1001, 4000, 14_000]);
  return random.pick(["a", "é", "😀", " ", "a ", "\u0301", "%", '"', "\n"]).repeat(length);
}

export function oddText(random: Random): string {
  const kind = random.below(10);
  if (kind < 7) return random.pick(oddTexts);
  if (kind < 8) return longText(random);
  if (kind < 9) return random.pick(oddTexts) + random.pick(oddTexts);
  const codes = Array.from({ length: 1 + random.below(20) }, () => random.below(0x10000));
  return String.fromCharCode(...codes);
}

export function oddNumber(random: Random): number {
  return random.below(4) === 0
    ? (random.next() - 0.5) * 10 ** random.below(20)
    : random.pick(oddNumbers);
}

/** Key of `Object.prototype`, which parsed JSON must not change. */
export const prototypeKeys = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "then",
];

function nested(random: Random): unknown {
  let value: unknown = random.pick([1, "x", null]);
  const depth = random.pick([2, 10, 100, 1000]);
  for (let level = 0; level < depth; level += 1)
    value = random.below(2) === 0 ? [value] : { a: value };
  return value;
}

/** Returns a JSON value of an unexpected type. */
export function oddValue(random: Random): unknown {
  switch (random.below(9)) {
    case 0:
      return null;
    case 1:
      return random.below(2) === 0;
    case 2:
      return oddNumber(random);
    case 3:
      return [];
    case 4:
      return Array.from({ length: random.pick([1, 51, 300]) }, () => oddText(random).slice(0, 20));
    case 5:
      return {};
    case 6:
      return JSON.parse(`{"${random.pick(prototypeKeys)}":{"polluted":true}}`) as unknown;
    case 7:
      return nested(random);
    default:
      return oddText(random);
  }
}
