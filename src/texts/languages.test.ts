import { describe, expect, test } from "vitest";
import { languageCodes, type Language } from "#contract/site/languages.ts";
import { languageFiles, textsOf } from "./languages.ts";
import { parseMessage, valueNames, type MessageTree } from "./message.ts";

/** Messages by id. */
function listMessages(tree: MessageTree, path = ""): Map<string, string> {
  const rows = Object.entries(tree).flatMap(([name, value]) => {
    const id = `${path}${name}`;
    return typeof value === "string" ? [[id, value] as const] : [...listMessages(value, `${id}.`)];
  });
  return new Map(rows);
}

const english = listMessages(languageFiles.en);

/** Returns what callers rely on: the text's kind, values and elements. */
function shapeOf(text: string) {
  const message = parseMessage(text);
  const elements = text.match(/<\w+\/>/g) ?? [];
  return [message.kind, ...valueNames(message).toSorted(), ...elements.toSorted()];
}

describe.each(languageCodes)("%s", (code: Language) => {
  const messages = listMessages(languageFiles[code]);

  test("has the same texts as English, with the same values and elements", () => {
    expect([...messages.keys()].toSorted()).toEqual([...english.keys()].toSorted());
    const shapes = [...messages].map(([id, text]) => [id, ...shapeOf(text)]);
    const expected = [...messages.keys()].map((id) => [id, ...shapeOf(english.get(id) ?? "")]);
    expect(shapes).toEqual(expected);
    expect([...messages].filter(([, text]) => text.trim() === "")).toEqual([]);
  });

  test("has every plural form of its counted nouns, or a single form for all numbers", () => {
    const forms = new Intl.PluralRules(code).resolvedOptions().pluralCategories.toSorted();
    const counted = [...messages].flatMap(([id, text]) => {
      const message = parseMessage(text);
      return message.kind === "counted" ? [[id, ...Object.keys(message.forms).toSorted()]] : [];
    });
    expect(counted.length).toBeGreaterThan(3);
    const expected = counted.map(([id, ...own]) => [id, ...(own.length === 1 ? ["other"] : forms)]);
    expect(counted).toEqual(expected);
  });
});

test("takes values in the order of the English text even if a translation orders them differently", () => {
  expect(textsOf("en").playlist.place(2, 9)).toBe("2 of 9");
  expect(textsOf("de").comments.reportOf("Ada's")).toBe("Kommentar von Ada's melden");
  expect(textsOf("en").format.views).toEqual({ one: "# view", other: "# views" });
});

test("refuses syntax that pages don't support", () => {
  for (const text of [
    "{n, number}",
    "You: {n, plural, other {#}}",
    "{n, plural, other {{name}}}",
  ]) {
    expect(() => parseMessage(text)).toThrow(/Use /);
  }
  expect(() => parseMessage("{open")).toThrow();
  expect(parseMessage("It's <name/>'s '{'")).toEqual({ kind: "text", text: "It's <name/>'s {" });
});
