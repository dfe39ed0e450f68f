import { captionLimits } from "../../../contract/captions.ts";
import type { StoredCaption } from "../../db/stored-caption.ts";
import { AppError } from "../../lib/app-error.ts";

/** "deu" becomes "de", "pt-br" "pt-BR", and what is no language "und". */
export function cleanLanguage(language: string | null): string {
  try {
    return Intl.getCanonicalLocales((language ?? "und").trim().replaceAll("_", "-"))[0] ?? "und";
  } catch {
    return "und";
  }
}

/** The name of a track in its own language, as people look for it. */
export function nameOfLanguage(language: string): string {
  if (language === "und") return "Captions";
  try {
    const name = new Intl.DisplayNames([language], { type: "language" }).of(language) ?? language;
    return name.slice(0, 1).toLocaleUpperCase(language) + name.slice(1);
  } catch {
    return language;
  }
}

/** A video's tracks with this one, new or changed: at most one is the default. */
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
      `A video has at most ${captionLimits.maxTracks} caption tracks.`,
    );
  }
  return [...others, caption];
}

export function getCaption(captions: readonly StoredCaption[], id: string): StoredCaption {
  const found = captions.find((caption) => caption.id === id);
  if (found === undefined) throw new AppError("not_found", "These captions do not exist.");
  return found;
}
