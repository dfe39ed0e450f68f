import { textsOf } from "#texts/languages.ts";
import type { Messages } from "#texts/messages.ts";

export interface PageLanguage {
  language: string;
  /** Start of the addresses of its pages. */
  prefix: string;
  texts: Messages;
}

export const english: PageLanguage = { language: "English", prefix: "", texts: textsOf("en") };

/**
 * A test that may depend on the language runs in Arabic alone, which also shows missing
 * translations and what isn't mirrored.
 */
export const arabic: PageLanguage = { language: "Arabic", prefix: "/ar", texts: textsOf("ar") };

/** For tests that compare languages, or of layouts that are likely to break in one of them. */
export const languages: readonly PageLanguage[] = [english, arabic];
