import type { VideoSound } from "#contract/videos/videos.ts";

/**
 * Returns the visitor's sound choice for storage. It contains the language and some kinds of sound.
 */
export const soundChoiceOf = ({ language, kind }: VideoSound): string =>
  kind === "description" || kind === "commentary" ? `${language} ${kind}` : language;

const primary = (language: string): string => language.split("-")[0] ?? "";

/** Returns the index of the audio track that matches the visitor's choice, or 0, the default. */
export function chooseSound(sounds: readonly VideoSound[], choice: string | null): number {
  if (choice === null) return 0;
  const [language = "", wantedKind] = choice.split(" ");
  const find = (hasKind: (sound: VideoSound) => boolean) => {
    const fitting = [...sounds.entries()].filter(([, sound]) => hasKind(sound));
    return (fitting.find(([, sound]) => sound.language === language) ??
      fitting.find(([, sound]) => primary(sound.language) === primary(language)))?.[0];
  };
  const isPlain = ({ kind }: VideoSound) => kind === "main" || kind === "dub";
  const special = wantedKind === undefined ? undefined : find(({ kind }) => kind === wantedKind);
  return special ?? find(isPlain) ?? 0;
}
