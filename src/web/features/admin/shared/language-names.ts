const displayNames = new Intl.DisplayNames("en", { type: "language", fallback: "none" });
const letters = [..."abcdefghijklmnopqrstuvwxyz"];

/** Two-letter codes by lower-case English name. */
let codes: ReadonlyMap<string, string> | null = null;

/** Returns the English name of a language code such as `pt-BR`, or null if it isn't known. */
export function languageName(code: string): string | null {
  try {
    return displayNames.of(code) ?? null;
  } catch {
    return null;
  }
}

/** Returns the code for the English name of a language, or any other text unchanged. */
export function languageCode(text: string): string {
  codes ??= new Map(
    letters
      .flatMap((first) => letters.map((second) => first + second))
      // Withdrawn codes such as `iw` have the names of their successors.
      .filter((code) => Intl.getCanonicalLocales(code)[0] === code)
      .flatMap((code) => {
        const name = languageName(code);
        return name === null ? [] : [[name.toLowerCase(), code] as const];
      }),
  );
  return codes.get(text.trim().toLowerCase()) ?? text.trim();
}
