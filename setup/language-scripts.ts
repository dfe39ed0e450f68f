import { join } from "node:path";
import type { Plugin } from "vite";

const prefix = "virtual:texts-";

/** The name of the entry with the texts of a language, in builds and in the manifest. */
export const textsEntryName = (code: string): string => `texts-${code}`;

/** `virtual:texts-de` is the script that gives a page the texts of `src/web/app/languages/de.ts`. */
export function languageScripts(root: string): Plugin {
  return {
    name: "language-scripts",
    resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${prefix}`)) return null;
      const file = join(root, "src/web/app/languages", `${id.slice(prefix.length + 1)}.ts`);
      return `import { texts } from ${JSON.stringify(file)};\nglobalThis.kinoraTexts = texts;\n`;
    },
  };
}

/** Entries of the client build, by name. */
export const textsEntries = (codes: readonly string[]): Record<string, string> =>
  Object.fromEntries(codes.map((code) => [textsEntryName(code), `${prefix}${code}`]));
