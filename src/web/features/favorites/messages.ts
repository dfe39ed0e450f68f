import { inLanguage } from "#web/lib/language/page-language.ts";

export const favoritesMessages = inLanguage("favorites");
