import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readProcessArguments } from "#server/lib/command-line.mjs";
import { parseMessage, valueNames, type MessageTree } from "#texts/message.ts";

const { flags } = readProcessArguments({
  name: "npm run texts",
  summary: "Writes the types of src/texts/en.json.",
  options: { check: { help: "only compare" } },
  examples: ["npm run texts"],
});
const isCheck = flags.has("check");

/** Writes the types of src/texts/en.json; with `--check` it only compares. */
const pathOf = (name: string) => fileURLToPath(new URL(`../../src/texts/${name}`, import.meta.url));
const path = pathOf("filled-texts.ts");

/** Returns the type of the texts that aren't plain strings; null if all are. */
function typeOf(value: string | MessageTree, indent: string): string | null {
  if (typeof value === "object") {
    const rows = Object.entries(value).flatMap(([name, inner]) => {
      const type = typeOf(inner, `${indent}  `);
      return type === null ? [] : [`${indent}  ${name}: ${type};\n`];
    });
    return rows.length === 0 ? null : `{\n${rows.join("")}${indent}}`;
  }
  const message = parseMessage(value);
  if (message.kind === "text") return null;
  if (message.kind === "counted") return "Plural";
  const parameters = valueNames(message).map((name) => `${name}: string | number`);
  return `(${parameters.join(", ")}) => string`;
}

const english = JSON.parse(readFileSync(pathOf("en.json"), "utf8")) as MessageTree;
const text = `// Generated from en.json by \`npm run texts\`.
import type { Plural } from "./message.ts";

/** Texts with values, and counted nouns. All others are strings. */
export interface FilledTexts ${typeOf(english, "") ?? "{}"}
`;

if (isCheck) {
  if (readFileSync(path, "utf8") !== text) {
    console.log("src/texts/filled-texts.ts differs from en.json. Run npm run texts.");
    process.exitCode = 1;
  }
} else writeFileSync(path, text);
