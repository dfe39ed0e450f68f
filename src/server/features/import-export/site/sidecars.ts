import { posix } from "node:path";
import type { SourceFile } from "./source-files.ts";

const videoTypes = new Set(
  "mp4 m4v mkv webm mov avi flv ts m2ts mts mpg mpeg ogv wmv 3gp 3g2 asf vob".split(" "),
);
const captionTypes = ["vtt", "srt", "ass", "ssa"];
const pictureTypes = ["jpg", "jpeg", "webp", "png"];

const typeOf = (path: string): string => posix.extname(path).slice(1).toLowerCase();

export const isVideoFile = (path: string): boolean => videoTypes.has(typeOf(path));

/** Returns whether yt-dlp hasn't merged this file, as in `NAME.f137.mp4` and `NAME.temp.mp4`. */
export const isStreamOfVideo = (path: string): boolean =>
  /\.(f(\d{2}|hls|dash)[^.]*|temp)\.\w+$/.test(path);

export const streamReason = "a single stream of a video that wasn't merged";

const languageName = /^([a-z]{2,3}([-_][a-z0-9]{1,8})*)?$/i;

/** Returns the language in the name of captions, which may be empty. Null for other files. */
function captionLanguage(base: string, path: string, pattern = languageName): string | null {
  if (!captionTypes.includes(typeOf(path))) return null;
  const language = path.slice(base.length + 1, -typeOf(path).length - 1).replace(/\.$/, "");
  return pattern.test(language) ? language : null;
}

const pictureNames = (base: string): string[] =>
  pictureTypes.flatMap((type) => [
    `${base}.${type}`,
    `${base}-thumb.${type}`,
    `${base}-poster.${type}`,
  ]);

/** Files by folder and by the first part of their name, so that looking up sidecars is quick. */
export function createSidecars(files: ReadonlyMap<string, SourceFile>) {
  const byFolder = new Map<string, SourceFile[]>();
  for (const file of files.values()) {
    const folder = posix.dirname(file.path);
    const list = byFolder.get(folder);
    if (list === undefined) byFolder.set(folder, [file]);
    else list.push(file);
  }
  for (const list of byFolder.values()) list.sort((a, b) => (a.path < b.path ? -1 : 1));

  /** Returns the files whose path starts with this, by binary search. */
  function startingWith(prefix: string): SourceFile[] {
    const list = byFolder.get(posix.dirname(prefix)) ?? [];
    let [low, high] = [0, list.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((list[middle]?.path ?? "") < prefix) low = middle + 1;
      else high = middle;
    }
    const found: SourceFile[] = [];
    for (let at = low; list[at]?.path.startsWith(prefix) === true; at += 1) {
      const file = list[at];
      if (file !== undefined) found.push(file);
    }
    return found;
  }

  return {
    /** Returns the video files with exactly this name before their extension. */
    videos: (base: string): SourceFile[] =>
      startingWith(`${base}.`).filter(
        ({ path }) => isVideoFile(path) && !path.slice(base.length + 1).includes("."),
      ),

    /**
     * Returns the captions of a video, one for each language, in the best format.
     * @param pattern matches the languages in names of files, if they aren't only codes.
     */
    captions(base: string, pattern?: RegExp): { path: string; language: string }[] {
      const found = new Map<string, { path: string; language: string; rank: number }>();
      for (const { path } of startingWith(`${base}.`)) {
        const rank = captionTypes.indexOf(typeOf(path));
        const language = captionLanguage(base, path, pattern);
        if (language === null) continue;
        const other = found.get(language);
        if (other === undefined || rank < other.rank) found.set(language, { path, language, rank });
      }
      return [...found.values()];
    },

    /** Returns the picture beside a video. */
    picture: (base: string): string | null =>
      pictureNames(base).find((name) => files.has(name)) ?? null,

    /** Returns all files that belong to a video, including those that another one overrides. */
    all: (base: string): SourceFile[] =>
      [
        ...startingWith(`${base}.`).filter(({ path }) => captionLanguage(base, path) !== null),
        ...[`${base}.txt`, `${base}.nfo`, ...pictureNames(base)].map((name) => files.get(name)),
      ].filter((file) => file !== undefined),
  };
}

export type Sidecars = ReturnType<typeof createSidecars>;
