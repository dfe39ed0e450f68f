import type { Language } from "#contract/site/languages.ts";
import type { Catalogue } from "./catalogue.ts";

/** All languages, for the server. A browser loads only the language of its page. */
const all = import.meta.glob<Catalogue>("./??.ts", { eager: true, import: "texts" });

/** Returns the texts of a language; null for English. */
export const textsOf = (language: Language): Catalogue | null => all[`./${language}.ts`] ?? null;
