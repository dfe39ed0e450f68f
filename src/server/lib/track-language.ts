/** Normalises a language code: "deu" to "de", "pt-br" to "pt-BR", and invalid codes to "und". */
export function cleanLanguage(language: string | null): string {
  try {
    return Intl.getCanonicalLocales((language ?? "und").trim().replaceAll("_", "-"))[0] ?? "und";
  } catch {
    return "und";
  }
}
