import { trackInLanguage } from "#contract/site/languages.ts";
import type { CaptionTrack } from "#contract/videos/captions.ts";
import { minLadderDurationS } from "#contract/videos/ladders.ts";
import type { Chapter, Video, VideoSound } from "#contract/videos/videos.ts";
import { readStoredJson, writeStored } from "#web/lib/device-storage.ts";

/** Video as the player needs it. */
export interface PlayerSource {
  id: string;
  slug: string;
  title: string;
  /** Stored duration. The duration of the file replaces it once it is known. */
  durationS: number;
  /** Progressive MP4, which plays everywhere and starts soonest. */
  progressiveUrl: string | null;
  /** Multivariant playlist. */
  hlsUrl: string | null;
  /** Volume factors with which the file and the ladder are as loud as other videos. */
  fileGain: number;
  ladderGain: number;
  posterUrl: string | null;
  captions: readonly CaptionTrack[];
  /**
   * Audio tracks of the ladder. The first one is also in the progressive file. Empty if there is
   * only one.
   */
  sounds: readonly VideoSound[];
  chapters: readonly Chapter[];
  categories: string[];
  tags: string[];
}

/** @param normalizesLoudness whether the site plays all videos at the same loudness. */
export function toPlayerSource(video: Video, normalizesLoudness: boolean): PlayerSource {
  const { file = 1, ladder = 1 } = (normalizesLoudness && video.soundFactors) || {};
  return {
    id: video.id,
    slug: video.slug,
    title: video.title,
    durationS: video.duration,
    progressiveUrl: video.videoUrl,
    hlsUrl: video.hlsUrl,
    fileGain: file,
    ladderGain: ladder,
    posterUrl: video.posterUrl ?? video.thumbnailUrl,
    captions: video.captions ?? [],
    sounds: video.sounds ?? [],
    chapters: video.chapters ?? [],
    categories: video.categories.map(({ category }) => category.slug),
    tags: video.tags.map(({ tag }) => tag.slug),
  };
}

export interface BrowserAbilities {
  hasMediaSource: boolean;
  playsHls: boolean;
  /** True in WebKit, where only native HLS works with AirPlay. It also uses less energy. */
  prefersNativeHls: boolean;
}

type AdapterKind = "progressive" | "native-hls" | "hls-js";

export function readBrowserAbilities(media: HTMLVideoElement): BrowserAbilities {
  const playsHls = media.canPlayType("application/vnd.apple.mpegurl") !== "";
  return {
    hasMediaSource: "MediaSource" in globalThis || "ManagedMediaSource" in globalThis,
    playsHls,
    prefersNativeHls: playsHls && "WebKitPlaybackTargetAvailabilityEvent" in globalThis,
  };
}

/** Returns the adapter for the ladder in this browser, or null if it can't play one. */
export function ladderAdapter(
  source: { hlsUrl: string | null },
  abilities: BrowserAbilities,
): "native-hls" | "hls-js" | null {
  if (source.hlsUrl === null) return null;
  if (abilities.prefersNativeHls) return "native-hls";
  if (abilities.hasMediaSource) return "hls-js";
  return abilities.playsHls ? "native-hls" : null;
}

/**
 * Chooses the first adapter. This is the progressive file if it exists, because it shows its first
 * frame soonest. The ladder takes over later, see `wantsLadder`.
 */
export function firstAdapter(
  source: { hlsUrl: string | null; progressiveUrl: string | null },
  abilities: BrowserAbilities,
): AdapterKind | null {
  if (source.progressiveUrl !== null) return "progressive";
  return ladderAdapter(source, abilities);
}

/** Returns whether to switch from a playing progressive file to the adaptive ladder. */
export function wantsLadder(
  source: { hlsUrl: string | null; durationS: number },
  abilities: BrowserAbilities,
  isSavingData: boolean,
): boolean {
  return (
    ladderAdapter(source, abilities) === "hls-js" &&
    source.durationS > minLadderDurationS &&
    !isSavingData
  );
}

const damagedKey = "kinora.damaged-sources";
const maxDamaged = 50;

const readDamaged = (): string[] => {
  const value = readStoredJson(damagedKey, "sessionStorage");
  return Array.isArray(value) ? value.filter((url) => typeof url === "string") : [];
};

/**
 * Remembers until the tab is closed that a file or playlist is damaged. A repaired one has a new
 * address.
 */
export function markDamaged(url: string): void {
  const others = readDamaged().filter((each) => each !== url);
  writeStored(damagedKey, JSON.stringify([url, ...others].slice(0, maxDamaged)), "sessionStorage");
}

/** Leaves out the file or the ladder if it is damaged and the other one isn't. */
export function withoutDamaged(source: PlayerSource, canPlayLadder: boolean): PlayerSource {
  const { progressiveUrl: file, hlsUrl: ladder } = source;
  if (file === null || ladder === null || !canPlayLadder) return source;
  const damaged = readDamaged();
  if (damaged.includes(file) === damaged.includes(ladder)) return source;
  return damaged.includes(file) ? { ...source, progressiveUrl: null } : { ...source, hlsUrl: null };
}

/**
 * Returns the visitor's sound choice for storage. It contains the language and some kinds of sound.
 */
export const soundChoiceOf = ({ language, kind }: VideoSound): string =>
  kind === "description" || kind === "commentary" ? `${language} ${kind}` : language;

/** Returns the index of the audio track that matches the visitor's choice, or 0, the default. */
export function chooseSound(sounds: readonly VideoSound[], choice: string | null): number {
  if (choice === null) return 0;
  const [language = "", wantedKind] = choice.split(" ");
  const find = (hasKind: (sound: VideoSound) => boolean) =>
    trackInLanguage(sounds.filter(hasKind), language);
  const special = wantedKind === undefined ? undefined : find(({ kind }) => kind === wantedKind);
  const sound = special ?? find(({ kind }) => kind === "main" || kind === "dub");
  return sound === undefined ? 0 : sounds.indexOf(sound);
}
