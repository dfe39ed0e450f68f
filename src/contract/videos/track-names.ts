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

/** Language and flags of a track, read from the name of its caption file. */
export interface CaptionSuffix {
  /** Language as the file names it. Empty if the name has none. */
  language: string;
  /** Kind of captions to add to the track's name. Null for ordinary ones. */
  kind: "SDH" | "CC" | null;
  isForced: boolean;
  isDefault: boolean;
}

const languageTag = /^[a-z]{2,3}(?:[-_][a-z0-9]{1,8})*$/i;

/**
 * Parses the part between a video's name and the extension of a caption file: a language, flags, or
 * a language and flags, such as `en`, `forced` or `pt-BR.sdh`. `hi` is a flag only after a language;
 * elsewhere it is Hindi. Returns null for anything else.
 */
export function readCaptionSuffix(text: string): CaptionSuffix | null {
  const parts = text === "" ? [] : text.split(".");
  const [first = ""] = parts;
  const isFlag = /^(?:sdh|cc)$/i.test(first);
  const language = languageTag.test(first) && !isFlag ? first : "";
  const flags = parts.slice(language === "" ? 0 : 1).map((part) => part.toLowerCase());
  if (!flags.every((flag) => /^(?:forced|sdh|cc|hi|default)$/.test(flag))) return null;
  const isForDeaf = flags.includes("sdh") || flags.includes("hi");
  return {
    language,
    kind: isForDeaf ? "SDH" : flags.includes("cc") ? "CC" : null,
    isForced: flags.includes("forced"),
    isDefault: flags.includes("default"),
  };
}

/** Returns the suffix in a caption file's name, such as that of `film.en.sdh.srt`, or null. */
export function findCaptionSuffix(fileName: string): CaptionSuffix | null {
  const parts = fileName.split(".").slice(1, -1);
  return (
    parts
      .map((_, at) => parts.slice(at).join("."))
      // Capitals are more likely the last word of a title, unless a flag follows them.
      .filter((text) => !/^(?:$|[A-Z][a-z]|(?!(?:SDH|CC|FORCED|DEFAULT)$)[A-Z]+$)/.test(text))
      .map(readCaptionSuffix)
      .find((read) => read !== null) ?? null
  );
}
