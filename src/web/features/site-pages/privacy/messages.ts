import { inLanguage } from "#web/lib/language/page-language.ts";

export const privacyMessages = inLanguage("privacy");
