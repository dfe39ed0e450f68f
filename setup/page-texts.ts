import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { parseMessage, valueNames, type MessageTree } from "#texts/message.ts";

const prefix = "virtual:texts-";
const groupPrefix = "virtual:text-group-";

/** Returns the name of the entry with a language's texts, in builds and in the manifest. */
export const textsEntryName = (code: string): string => `texts-${code}`;

/** Returns the entries of the client build, by name. */
export const textsEntries = (codes: readonly string[]): Record<string, string> =>
  Object.fromEntries(codes.map((code) => [textsEntryName(code), `${prefix}${code}`]));

/** Returns the text of a template literal, without its quotes. */
const inTemplate = (text: string) => text.replace(/[\\`]|\$(?=\{)/g, "\\$&");

/** Compiles a message to an expression: a string, a function of its values, or plural forms. */
function compileMessage(text: string, english: string): string {
  const message = parseMessage(text);
  if (message.kind === "text") return JSON.stringify(message.text);
  if (message.kind === "counted") return JSON.stringify(message.forms);
  const parameters = valueNames(parseMessage(english));
  const pieces = message.pieces.map((piece) =>
    typeof piece === "string" ? inTemplate(piece) : `\${${piece.name}}`,
  );
  return `(${parameters.join(", ")}) => \`${pieces.join("")}\``;
}

/** Compiles a group of texts to an object. Functions take their values in the English order. */
function compileTree(tree: MessageTree, english: MessageTree): string {
  const rows = Object.entries(tree).map(([name, value]) => {
    const inEnglish = english[name];
    if (typeof value === "string" && typeof inEnglish === "string") {
      return `${JSON.stringify(name)}: ${compileMessage(value, inEnglish)}`;
    }
    if (typeof value === "string" || typeof inEnglish !== "object") {
      throw new Error(`The text "${name}" doesn't match the one in en.json.`);
    }
    return `${JSON.stringify(name)}: ${compileTree(value, inEnglish)}`;
  });
  return `{ ${rows.join(", ")} }`;
}

/**
 * Compiles the texts of pages from `src/texts`. `const messages = inLanguage("feed");` becomes an
 * import of `virtual:text-group-feed`, so that all files share one copy of a group, with its
 * English texts. `virtual:texts-de` is the script with all texts of a page in German.
 */
export function pageTexts(root: string): Plugin {
  const fileOf = (code: string) => join(root, "src/texts", `${code}.json`);
  const read = (code: string) => JSON.parse(readFileSync(fileOf(code), "utf8")) as MessageTree;
  const reader = JSON.stringify(join(root, "src/web/lib/language/page-language.ts"));
  const declaration = /^const (\w+) = inLanguage\("(\w+)"\)[^;]*;/gm;
  return {
    name: "page-texts",
    enforce: "pre",
    // Vitest caches transformed modules by their own text and would miss changes to the texts.
    configureVitest({ defineCacheKeyGenerator }) {
      defineCacheKeyGenerator(({ id }) => (id.includes(groupPrefix) ? false : undefined));
    },
    resolveId: (id) => (id.startsWith(prefix) || id.startsWith(groupPrefix) ? `\0${id}` : null),
    load(id) {
      if (id.startsWith(`\0${groupPrefix}`)) {
        const group = id.slice(groupPrefix.length + 1);
        this.addWatchFile(fileOf("en"));
        const texts = read("en")[group];
        if (typeof texts !== "object") throw new Error(`en.json has no group "${group}".`);
        return `import { inLanguage } from ${reader};
export const texts = inLanguage("${group}", ${compileTree(texts, texts)});`;
      }
      if (!id.startsWith(`\0${prefix}`)) return null;
      const code = id.slice(prefix.length + 1);
      for (const each of [code, "en"]) this.addWatchFile(fileOf(each));
      return `globalThis.kinoraTexts = ${compileTree(read(code), read("en"))};`;
    },
    transform: {
      // The built pages contain the call, too.
      filter: { id: { exclude: /[\\/](?:setup|dist[\\/]server)[\\/]/ }, code: 'inLanguage("' },
      handler(source, id) {
        if (id.startsWith("\0")) return null;
        const code = source.replace(
          declaration,
          (_, name: string, group: string) =>
            `import { texts as ${name} } from "${groupPrefix}${group}";`,
        );
        if (code.includes('inLanguage("'))
          throw new Error(`Write const messages = inLanguage("group"); at the top level of ${id}.`);
        return code;
      },
    },
  };
}
