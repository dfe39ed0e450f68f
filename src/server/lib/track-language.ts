/** "deu" becomes "de", "pt-br" "pt-BR", and what is no language "und". */
export function cleanLanguage(language: string | null): string {
  try {
    return Intl.getCanonicalLocales((language ?? "und").trim().replaceAll("_", "-"))[0] ?? "und";
  } catch {
    return "und";
  }
}

/** The name of a language in itself, as people look for it; null for none. */
export function nameOfLanguage(language: string): string | null {
  if (language === "und") return null;
  try {
    const name = new Intl.DisplayNames([language], { type: "language" }).of(language) ?? language;
    return name.slice(0, 1).toLocaleUpperCase(language) + name.slice(1);
  } catch {
    return language;
  }
}
