import { inLanguage } from "#web/lib/language/page-language.ts";

export const shareMessages = inLanguage("share");
