import type { Language } from "#contract/site/languages.ts";
import { languageFiles } from "./languages.ts";
import { parseMessage, type MessageTree } from "./message.ts";

/** Groups of texts that pages don't look up by id: the server's own, and those found by a code. */
const withoutPage = new Set(["failures", "reasonsOfLists", "server"]);

function collect(value: string | MessageTree, id: string, found: Map<string, string>): void {
  if (typeof value === "object") {
    for (const [name, inner] of Object.entries(value)) collect(inner, `${id}.${name}`, found);
    return;
  }
  const message = parseMessage(value);
  if (message.kind === "text") found.set(id, message.text);
  else if (message.kind === "counted") {
    for (const [form, text] of Object.entries(message.forms)) found.set(`${id}.${form}`, text);
  } else {
    const pieces = message.pieces.map((part) =>
      typeof part === "string" ? part : `{${part.name}}`,
    );
    found.set(id, pieces.join(""));
  }
}

const known = new Map<Language, ReadonlyMap<string, string>>();

/** Returns the texts of the pages that an operator can replace, by id: `errors.offline`. */
export function standardTexts(language: Language): ReadonlyMap<string, string> {
  const cached = known.get(language);
  if (cached !== undefined) return cached;
  const texts = new Map<string, string>();
  for (const [group, tree] of Object.entries(languageFiles[language])) {
    if (!withoutPage.has(group)) collect(tree, group, texts);
  }
  known.set(language, texts);
  return texts;
}

const valueNames = (id: string): string[] => {
  const standard = standardTexts("en").get(id) ?? "";
  return [...new Set(standard.match(/\{\w+\}/g))];
};

/**
 * Replaces the names in an operator's text with numbers, `{title}` with `{1}`, because pages number
 * the values.
 */
export const numberValues = (id: string, text: string): string =>
  valueNames(id).reduce((filled, name, at) => filled.replaceAll(name, `{${at + 1}}`), text);

/** Reverses `numberValues`. */
export const nameValues = (id: string, text: string): string =>
  valueNames(id).reduce((filled, name, at) => filled.replaceAll(`{${at + 1}}`, name), text);
