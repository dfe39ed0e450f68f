import type { Language } from "#contract/site/languages.ts";
import { textsOf } from "#texts/languages.ts";
import type { Messages } from "#texts/messages.ts";

/** Returns the server's texts for visitors in this language. */
export const visitorTexts = (language: Language): Messages["server"] => textsOf(language).server;
