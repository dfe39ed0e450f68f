import { inLanguage } from "#web/lib/language/page-language.ts";

/** Texts of the pages about the site itself. */
export const siteMessages = inLanguage("site");
