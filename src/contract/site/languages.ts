/** Languages of the public site, with their own names. Their texts are in `src/texts`. */
export const languages = [
  { code: "en", name: "English" },
  { code: "de", name: "Deutsch" },
  { code: "fr", name: "Français" },
  { code: "es", name: "Español" },
  { code: "pt", name: "Português" },
  { code: "pl", name: "Polski" },
  { code: "ja", name: "日本語" },
  { code: "ar", name: "العربية" },
] as const;

export type Language = (typeof languages)[number]["code"];

export const languageCodes = languages.map(({ code }) => code);

/** Returns a language without region and script: `pt` for `pt-BR`. */
export const primaryLanguage = (tag: string): string => tag.split("-")[0]?.toLowerCase() ?? "";

/** Returns the track in a language, or else in another variant of it. */
export const trackInLanguage = <Track extends { language: string }>(
  tracks: readonly Track[],
  language: string,
): Track | undefined =>
  tracks.find((track) => track.language === language) ??
  tracks.find((track) => primaryLanguage(track.language) === primaryLanguage(language));

/** Returns the path prefix of a language: `/de`, or empty for the site's default language. */
export const prefixOf = (language: Language, siteLanguage: Language): string =>
  language === siteLanguage ? "" : `/${language}`;

/** Returns the address of a page in a language; `/de` for the front page. */
export const withPrefix = (prefix: string, path: string): string =>
  path === "/" && prefix !== "" ? prefix : prefix + path;
