/** Normalises a language code: "deu" to "de", "pt-br" to "pt-BR", and invalid codes to "und". */
export function cleanLanguage(language: string | null): string {
  try {
    return Intl.getCanonicalLocales((language ?? "und").trim().replaceAll("_", "-"))[0] ?? "und";
  } catch {
    return "und";
  }
}

/**
 * Returns a language's name in that language, because people look for that name; null if unknown.
 */
export function nameOfLanguage(language: string): string | null {
  if (language === "und") return null;
  try {
    const name = new Intl.DisplayNames([language], { type: "language" }).of(language) ?? language;
    return name.slice(0, 1).toLocaleUpperCase(language) + name.slice(1);
  } catch {
    return language;
  }
}
