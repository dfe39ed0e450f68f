import { captionLimits } from "#contract/videos/captions.ts";
import type { StoredCaption } from "#server/db/stored-caption.ts";
import { AppError } from "#server/lib/app-error.ts";
import { nameOfLanguage } from "#server/lib/track-language.ts";

/** Returns the label of a track without its own name. */
export const nameOfCaption = (language: string): string => nameOfLanguage(language) ?? "Captions";

/** Adds or replaces a track. At most one track remains the default. */
export function withCaption(
  captions: readonly StoredCaption[],
  caption: StoredCaption,
): StoredCaption[] {
  const others = captions.map((each) =>
    caption.isDefault && each.id !== caption.id ? { ...each, isDefault: false } : each,
  );
  const at = others.findIndex(({ id }) => id === caption.id);
  if (at >= 0) return others.with(at, caption);
  if (others.length >= captionLimits.maxTracks) {
    throw new AppError(
      "conflict",
      `A video can have at most ${captionLimits.maxTracks} caption tracks. Delete one first.`,
    );
  }
  return [...others, caption];
}

export function getCaption(captions: readonly StoredCaption[], id: string): StoredCaption {
  const found = captions.find((caption) => caption.id === id);
  if (found === undefined) throw new AppError("not_found", "Captions not found.");
  return found;
}
