import { inLanguage } from "#web/lib/language/page-language.ts";

export const saveMessages = inLanguage("save");
