import { inLanguage } from "#web/lib/language/page-language.ts";

/** Labels of ads and their landmarks. Part of the first load, unlike the other texts. */
export const adLabel = inLanguage("adLabel");
