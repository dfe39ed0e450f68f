import type { Language } from "#contract/site/languages.ts";
import ar from "./ar.json" with { type: "json" };
import de from "./de.json" with { type: "json" };
import en from "./en.json" with { type: "json" };
import es from "./es.json" with { type: "json" };
import fr from "./fr.json" with { type: "json" };
import ja from "./ja.json" with { type: "json" };
import pl from "./pl.json" with { type: "json" };
import pt from "./pt.json" with { type: "json" };
import type { Messages } from "./messages.ts";
import { parseMessage, valueNames, type MessageTree } from "./message.ts";

/** The language files. A missing text is a type error. */
export const languageFiles: Readonly<Record<Language, typeof en>> = {
  en,
  ar,
  de,
  es,
  fr,
  ja,
  pl,
  pt,
};

function readMessage(text: string, english: string): unknown {
  const message = parseMessage(text);
  if (message.kind === "text") return message.text;
  if (message.kind === "counted") return message.forms;
  const names = valueNames(parseMessage(english));
  return (...values: unknown[]) =>
    message.pieces
      .map((piece) => (typeof piece === "string" ? piece : values[names.indexOf(piece.name)]))
      .join("");
}

function readTree(tree: MessageTree, english: MessageTree): Record<string, unknown> {
  const texts: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(tree)) {
    const inEnglish = english[name];
    if (typeof value === "string" && typeof inEnglish === "string") {
      texts[name] = readMessage(value, inEnglish);
    } else if (typeof value === "object" && typeof inEnglish === "object") {
      texts[name] = readTree(value, inEnglish);
    }
  }
  return texts;
}

// A check compares the type with en.json. A test compares en.json with the other languages.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- read from JSON
const asMessages = (texts: unknown) => texts as Messages;

const known = new Map<Language, Messages>();

/**
 * Returns the texts of a language. Only for the server, because a page loads just the texts it
 * shows.
 */
export function textsOf(language: Language): Messages {
  const texts = known.get(language) ?? asMessages(readTree(languageFiles[language], en));
  known.set(language, texts);
  return texts;
}
