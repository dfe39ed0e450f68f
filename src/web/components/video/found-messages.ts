import { inLanguage } from "#web/lib/language/page-language.ts";

/** Texts of search results. */
export const foundMessages = inLanguage("found");
