import { inLanguage } from "#web/lib/language/page-language.ts";

export const transcriptMessages = inLanguage("transcript");
