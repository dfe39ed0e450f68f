import { inLanguage } from "#web/lib/language/page-language.ts";

export const searchMessages = inLanguage("search");

/** Filter labels by their value in the URL. The first one applies no filter. */
export const filterLabels = inLanguage("filters");
