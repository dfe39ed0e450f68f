import type { CaptionTrack } from "#contract/videos/captions.ts";

/**
 * Prefix of a saved choice of no captions, followed by the previously shown language. Null means no
 * choice.
 */
export const captionsOff = "-";

/** Returns the language of a choice; empty if it has none. */
export const languageOf = (choice: string | null): string => choice?.replace(/^-/, "") ?? "";

const primary = (language: string): string => language.split("-")[0]?.toLowerCase() ?? "";

/** Returns the track in a language, otherwise in another form of it. */
function inLanguage(tracks: readonly CaptionTrack[], language: string): CaptionTrack | undefined {
  return (
    tracks.find((track) => track.language === language) ??
    tracks.find((track) => primary(track.language) === primary(language))
  );
}

/**
 * Returns the track to show: the visitor's choice, otherwise the operator's default. Null for none.
 */
export function chooseCaption(
  tracks: readonly CaptionTrack[],
  chosenLanguage: string | null,
): CaptionTrack | null {
  // Browsers stored an empty language before 0.3 if captions were off and none had been chosen.
  if (chosenLanguage === "" || chosenLanguage?.startsWith(captionsOff) === true) return null;
  const shown = tracks.filter(({ isForced }) => isForced !== true);
  const wanted = chosenLanguage === null ? undefined : inLanguage(shown, chosenLanguage);
  return wanted ?? shown.find(({ isDefault }) => isDefault === true) ?? null;
}

/**
 * Returns the track that "captions on" shows: in the visitor's or browser's language, else the
 * first.
 */
export function offerCaption(
  tracks: readonly CaptionTrack[],
  languages: readonly string[],
): CaptionTrack | null {
  const shown = tracks.filter(({ isForced }) => isForced !== true);
  for (const language of languages) {
    const found = inLanguage(shown, language);
    if (found !== undefined) return found;
  }
  return shown.find(({ isDefault }) => isDefault === true) ?? shown[0] ?? null;
}
