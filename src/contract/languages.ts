/** The languages of the public site, by their code, as each names itself. */
export const languages = {
  en: "English",
} as const;

export type Language = keyof typeof languages;

export const languageCodes = Object.keys(languages) as Language[];

/** What stands before the paths of a language: `/de`, or nothing for the language of the site. */
export const prefixOf = (language: Language, siteLanguage: Language): string =>
  language === siteLanguage ? "" : `/${language}`;

/** The address of a page in a language; `/de` for the front page. */
export const withPrefix = (prefix: string, path: string): string =>
  path === "/" && prefix !== "" ? prefix : prefix + path;
