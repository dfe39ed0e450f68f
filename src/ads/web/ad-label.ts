import { inLanguage } from "#web/lib/language/page-language.ts";

/** Names of every ad and its landmark. Part of the first load, unlike the other texts. */
export const adLabel = inLanguage("adLabel");
