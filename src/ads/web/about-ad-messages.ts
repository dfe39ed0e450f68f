import { inLanguage } from "#web/lib/language/page-language.ts";

/** Texts of the dialog about an ad. */
export const aboutAdMessages = inLanguage("aboutAd");
