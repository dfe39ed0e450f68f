import { trackInLanguage } from "../site/languages.ts";
import type { CaptionTrack } from "./captions.ts";

/** Returns whether a track contains the spoken words. Forced captions contain only some of them. */
export const isTranscript = ({
  isForced,
  isDescription,
}: Pick<CaptionTrack, "isForced" | "isDescription">): boolean =>
  isForced !== true && isDescription !== true;

/**
 * Returns the track to read in a language or in another variant of it, or else the operator's
 * default, or else the first.
 */
export function chooseTranscript(
  tracks: readonly CaptionTrack[],
  language: string,
): CaptionTrack | undefined {
  const readable = tracks.filter(isTranscript);
  return (
    trackInLanguage(readable, language) ??
    readable.find(({ isDefault }) => isDefault === true) ??
    readable[0]
  );
}
