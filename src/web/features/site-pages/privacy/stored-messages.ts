import { inLanguage } from "#web/lib/language/page-language.ts";

/** Data that the site stores, with retention periods. */
export const storedTexts = inLanguage("stored");
