import { parse, TYPE, type MessageFormatElement } from "@formatjs/icu-messageformat-parser";

/** Texts of a language file: messages in ICU syntax, in groups. */
export interface MessageTree {
  readonly [name: string]: string | MessageTree;
}

/** Counted noun by the plural rules of its language. `#` is the number. */
export type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

/** A message of a language file: a text, a text with values, or a counted noun. */
export type Message =
  | { kind: "text"; text: string }
  | { kind: "filled"; pieces: readonly (string | { name: string })[] }
  | { kind: "counted"; forms: Plural };

function formText(elements: readonly MessageFormatElement[]): string {
  const words = elements.map((element) => {
    if (element.type === TYPE.literal) return element.value;
    if (element.type === TYPE.pound) return "#";
    throw new Error("Use only words and # in a plural.");
  });
  return words.join("");
}

/**
 * Parses a message: words, values such as `{title}`, or one plural that spans the whole message.
 * An element such as `<link/>` counts as words; `withParts` replaces it.
 *
 * @throws Error for other ICU syntax.
 */
export function parseMessage(message: string): Message {
  const elements = parse(message, { ignoreTag: true });
  const [first] = elements;
  if (first?.type === TYPE.plural && elements.length === 1) {
    const forms: Partial<Record<string, string>> = {};
    for (const [form, { value }] of Object.entries(first.options)) forms[form] = formText(value);
    return { kind: "counted", forms: { ...forms, other: forms["other"] ?? "" } };
  }
  const pieces = elements.map((element) => {
    if (element.type === TYPE.literal) return element.value;
    if (element.type === TYPE.argument) return { name: element.value };
    throw new Error("Use words, {value}, or one plural for the whole message.");
  });
  return pieces.every((piece) => typeof piece === "string")
    ? { kind: "text", text: pieces.join("") }
    : { kind: "filled", pieces };
}

/** Returns the names of a message's values, in the order of the English text. */
export function valueNames(english: Message): string[] {
  if (english.kind !== "filled") return [];
  const names = english.pieces.flatMap((piece) => (typeof piece === "string" ? [] : [piece.name]));
  return [...new Set(names)];
}
