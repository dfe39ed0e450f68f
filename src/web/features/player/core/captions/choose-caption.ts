import type { CaptionTrack } from "#contract/videos/captions.ts";

/**
 * Prefix of a saved choice that turns captions off. The previously shown language follows it.
 * Without a choice, null is saved.
 */
export const captionsOff = "-";

/** Returns the language of a choice. Empty if it has none. */
export const languageOf = (choice: string | null): string => choice?.replace(/^-/, "") ?? "";

const primary = (language: string): string => language.split("-")[0]?.toLowerCase() ?? "";

/** Returns the track in a language, or else in another variant of it. */
function inLanguage(tracks: readonly CaptionTrack[], language: string): CaptionTrack | undefined {
  return (
    tracks.find((track) => track.language === language) ??
    tracks.find((track) => primary(track.language) === primary(language))
  );
}

/** Returns the visitor's choice, or else the operator's default. Null if no track is shown. */
export function chooseCaption(
  tracks: readonly CaptionTrack[],
  chosenLanguage: string | null,
): CaptionTrack | null {
  // Before 0.3, an empty language was stored if captions were turned off without one having been
  // chosen.
  if (chosenLanguage === "" || chosenLanguage?.startsWith(captionsOff) === true) return null;
  const shown = tracks.filter(({ isForced }) => isForced !== true);
  const wanted = chosenLanguage === null ? undefined : inLanguage(shown, chosenLanguage);
  return wanted ?? shown.find(({ isDefault }) => isDefault === true) ?? null;
}

/**
 * Returns the track to show when captions are turned on: one in a language of the visitor or the
 * browser, or else the first.
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
