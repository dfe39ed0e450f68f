import type { CaptionTrack } from "../../../../../contract/captions.ts";

/** A choice of the visitor: no captions. Null is no choice. */
export const captionsOff = "";

const primary = (language: string): string => language.split("-")[0]?.toLowerCase() ?? "";

/** The track in a language, or in another form of it. */
function inLanguage(tracks: readonly CaptionTrack[], language: string): CaptionTrack | undefined {
  return (
    tracks.find((track) => track.language === language) ??
    tracks.find((track) => primary(track.language) === primary(language))
  );
}

/** The track that is shown: what the visitor has chosen, else the operator's default. Null for none. */
export function chooseCaption(
  tracks: readonly CaptionTrack[],
  chosenLanguage: string | null,
): CaptionTrack | null {
  if (chosenLanguage === captionsOff) return null;
  const shown = tracks.filter(({ isForced }) => isForced !== true);
  const wanted = chosenLanguage === null ? undefined : inLanguage(shown, chosenLanguage);
  return wanted ?? shown.find(({ isDefault }) => isDefault === true) ?? null;
}

/** What turning captions on shows: the visitor's language or that of the browser, else the first. */
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
