import { inLanguage } from "#web/lib/language/page-language.ts";

export const errorMessages = inLanguage("errors");
