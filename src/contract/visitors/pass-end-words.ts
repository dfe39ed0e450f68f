import type { Language } from "../site/languages.ts";

/** Formats the end of a pass with its zone, because the server doesn't know the reader's. */
export const passEndWords = (end: Date, language: Language): string =>
  end.toLocaleString(language, {
    year: "numeric",
    month: "long",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZone: "UTC",
    timeZoneName: "short",
  });
