import type { Language } from "#contract/site/languages.ts";
import { serverTexts, type ServerTexts } from "#contract/site/server-texts.ts";
import { serverTexts as ar } from "#web/app/languages/ar.ts";
import { serverTexts as de } from "#web/app/languages/de.ts";
import { serverTexts as es } from "#web/app/languages/es.ts";
import { serverTexts as fr } from "#web/app/languages/fr.ts";
import { serverTexts as ja } from "#web/app/languages/ja.ts";
import { serverTexts as pl } from "#web/app/languages/pl.ts";
import { serverTexts as pt } from "#web/app/languages/pt.ts";

const all: Record<Language, ServerTexts> = { en: serverTexts, ar, de, es, fr, ja, pl, pt };

/** Returns the server's texts for visitors in this language. */
export const visitorTexts = (language: Language): ServerTexts => all[language];
