import { inLanguage } from "#web/lib/language/page-language.ts";

/** All texts of the feed. */
export const feedMessages = inLanguage("feed");

/** Names of other pages. */
export const layoutTexts = inLanguage("layout");
