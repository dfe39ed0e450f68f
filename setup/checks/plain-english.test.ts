import { expect, test } from "vitest";
import { findOddSentences, patterns } from "./plain-english.ts";

const examples: Record<string, string> = {
  "is no NOUN": "// a program that is no ffmpeg",
  "clause as a subject": "/** Who has not got the period yet. */",
  "genitive in front": "// Of several video tracks the default one is taken.",
  "of before": "/** A program of before remembered less. */",
  "things that speak": "// A file is told by its bytes.",
  "agentless passive": '"The link could not be created."',
  "contorted name": "const mayBeOfOneRow = true;",
};

test.each(patterns)("reports an example of $name", ({ name }) => {
  expect(findOddSentences("src/x.ts", `ok\n${examples[name]}`)).toEqual([
    expect.stringContaining(`src/x.ts:2: ${name}: `),
  ]);
});

test.each([
  "// There is no second copy.",
  "// The source is no longer needed.",
  "/** Eligible groups per visitor profile. */",
  "// Retries as many as three times.",
  "// Each page asks to confirm.",
  "const index = list.indexOf(name);",
])("accepts %s", (line) => {
  expect(findOddSentences("src/x.ts", line)).toEqual([]);
});

test("skips translations", () => {
  expect(findOddSentences("src/texts/de.json", "a program of before")).toEqual([]);
});
