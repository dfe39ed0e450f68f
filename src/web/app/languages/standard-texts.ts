import type { Language } from "#contract/site/languages.ts";
import { fillText } from "#web/lib/language/replace-texts.ts";
import { textsOf } from "./all-languages.ts";
import { englishTexts } from "./english.ts";

/** Looked up by error codes of the server, not by modules. */
const unwritten = new Set(["failures", "reasonsOfLists"]);

type TextFunction = (...values: unknown[]) => unknown;

const samples: readonly unknown[] = [0, 1, 2, 5, 21, "x"];

/** Returns a text with placeholders for its values; null for one that depends on its values. */
function templateOf(text: TextFunction): string | null {
  const places = Array.from({ length: text.length }, (_, at) => `{${at + 1}}`);
  try {
    const template = text(...places);
    if (typeof template !== "string") return null;
    const isPlain = samples.every((value) => {
      const values = places.map(() => value);
      return text(...values) === fillText(template, values);
    });
    return isPlain && places.every((place) => template.includes(place)) ? template : null;
  } catch {
    // Functions that count, join or format.
    return null;
  }
}

function collect(value: unknown, id: string, found: Record<string, string>): void {
  if (typeof value === "string") found[id] = value;
  else if (typeof value === "function") {
    const template = templateOf(value as TextFunction);
    if (template !== null) found[id] = template;
  } else if (typeof value === "object" && value !== null) {
    for (const [name, inner] of Object.entries(value)) collect(inner, `${id}.${name}`, found);
  }
}

/** Returns the texts of the product that an operator can replace, by id: `errors.offline`. */
export function standardTexts(language: Language): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [group, texts] of Object.entries(textsOf(language) ?? englishTexts)) {
    if (!unwritten.has(group)) collect(texts, group, found);
  }
  return found;
}
