import { expect, test } from "vitest";
import { NotStorableError, parseStorableJson } from "./storable-json.ts";

test("refuses half of a surrogate pair anywhere", () => {
  const bodies = [
    '{"note":"\\ud800"}',
    '{"note":"\\udc00x\\uD83D"}',
    '{"a":[1,null,{"b":["\\uDFFFx"]}]}',
    '{"\\ud83d":1}',
    '"\\ud83d\\ud83d\\ude00"',
  ];
  for (const body of bodies) expect(() => parseStorableJson(body)).toThrow(NotStorableError);
});

test("parses pairs, texts that look like escapes, and other values", () => {
  const pairs = '{"note":"\\ud83d\\ude00 😀","n":1.5}';
  expect(parseStorableJson(pairs)).toEqual({ note: "😀 😀", n: 1.5 });
  const text = String.raw`["\\ud800", true]`;
  expect(parseStorableJson(text)).toEqual([String.raw`\ud800`, true]);
});

test("refuses JSON that is invalid or too deeply nested", () => {
  const deep = `${"[".repeat(200_000)}"\\ud83d\\ude00"${"]".repeat(200_000)}`;
  for (const body of ["{", "undefined", deep]) expect(() => parseStorableJson(body)).toThrow();
});

test("refuses more than 20,000 values before it parses them", () => {
  for (const value of ["{}", "[]", "1", '{"a":[1]}', '"x"']) {
    const text = `[${Array.from({ length: 25_000 }, () => value).join()}]`;
    expect(() => parseStorableJson(text)).toThrow(/more than 20,000 values/);
  }
  expect(() => parseStorableJson("[".repeat(25_000))).toThrow(/more than 20,000 values/);
});

test("ignores commas and brackets inside strings", () => {
  for (const part of [",[{", '\\",{', "\\\\", '"']) {
    const value = { text: part.repeat(30_000), more: [1, ","] };
    expect(parseStorableJson(JSON.stringify(value))).toEqual(value);
  }
});
