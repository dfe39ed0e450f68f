import { posix } from "node:path";
import { readCaptionSuffix, type CaptionSuffix } from "#contract/videos/track-names.ts";
import type { SourceFile } from "./source-files.ts";

const videoTypes = new Set(
  "mp4 m4v mkv webm mov avi flv ts m2ts mts mpg mpeg ogv wmv 3gp 3g2 asf vob".split(" "),
);
const captionTypes = ["vtt", "srt", "ass", "ssa"];
const pictureTypes = new Set(["jpg", "jpeg", "webp", "png"]);
const textTypes = new Set(["txt", "nfo"]);

const typeOf = (path: string): string => posix.extname(path).slice(1).toLowerCase();

export const isVideoFile = (path: string): boolean => videoTypes.has(typeOf(path));

/** Returns whether yt-dlp hasn't merged this file, as in `NAME.f137.mp4` and `NAME.temp.mp4`. */
export const isStreamOfVideo = (path: string): boolean =>
  /\.(f(\d{2}|hls|dash)[^.]*|temp)\.\w+$/.test(path);

export const streamReason = "a single stream of a video that wasn't merged";

/** Parses the name of a caption file. Returns null for other files. */
function readCaptionName(
  base: string,
  path: string,
  read: (suffix: string) => CaptionSuffix | null,
): CaptionSuffix | null {
  if (!captionTypes.includes(typeOf(path))) return null;
  return read(path.slice(base.length + 1, -typeOf(path).length - 1).replace(/\.$/, ""));
}

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

  /** Returns the files with exactly this name and one of these extensions, in upper or lower case. */
  const find = (base: string, types: ReadonlySet<string>): SourceFile[] =>
    startingWith(`${base}.`).filter(
      ({ path }) => types.has(typeOf(path)) && !path.slice(base.length + 1).includes("."),
    );

  const pictures = (base: string): SourceFile[] =>
    ["", "-thumb", "-poster"].flatMap((end) => find(base + end, pictureTypes));

  return {
    /** Returns the video files with exactly this name before their extension. */
    videos: (base: string): SourceFile[] => find(base, videoTypes),

    /** Returns the text beside a video with this extension. */
    text: (base: string, type: "txt" | "nfo"): string | null =>
      find(base, new Set([type]))[0]?.path ?? null,

    /**
     * Returns the captions of a video, one for each language and kind, in the best format.
     * @param read returns what the part of a file's name between the video's name and the extension
     * says, or null if these aren't captions of the video.
     */
    captions(
      base: string,
      read: (suffix: string) => CaptionSuffix | null = readCaptionSuffix,
    ): (CaptionSuffix & { path: string })[] {
      const found = new Map<string, CaptionSuffix & { path: string }>();
      const rankOf = (path: string) => captionTypes.indexOf(typeOf(path));
      for (const { path } of startingWith(`${base}.`)) {
        const about = readCaptionName(base, path, read);
        if (about === null) continue;
        const key = [about.language, about.kind, about.isForced].join();
        const other = found.get(key);
        if (other === undefined || rankOf(path) < rankOf(other.path)) {
          found.set(key, { path, ...about });
        }
      }
      return [...found.values()];
    },

    /** Returns the picture beside a video. */
    picture: (base: string): string | null => pictures(base)[0]?.path ?? null,

    /** Returns all files that belong to a video, including those that another one overrides. */
    all: (base: string): SourceFile[] => [
      ...startingWith(`${base}.`).filter(
        ({ path }) => readCaptionName(base, path, readCaptionSuffix) !== null,
      ),
      ...find(base, textTypes),
      ...pictures(base),
    ],
  };
}

export type Sidecars = ReturnType<typeof createSidecars>;
