export type Language = "en" | "de" | "fr" | "es" | "pt" | "pl" | "ja" | "ar";

/** The languages of the public site, as each names itself. */
export const languages: readonly { code: Language; name: string }[] = [
  { code: "en", name: "English" },
];

export const languageCodes = languages.map(({ code }) => code);

/** What stands before the paths of a language: `/de`, or nothing for the language of the site. */
export const prefixOf = (language: Language, siteLanguage: Language): string =>
  language === siteLanguage ? "" : `/${language}`;

/** The address of a page in a language; `/de` for the front page. */
export const withPrefix = (prefix: string, path: string): string =>
  path === "/" && prefix !== "" ? prefix : prefix + path;
