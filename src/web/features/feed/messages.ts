import { inLanguage } from "#web/lib/language/page-language.ts";

/** Every text of the feed. */
export const feedMessages = inLanguage("feed");
