import type { VideoSound } from "#contract/videos/videos.ts";
import { nameOfLanguage } from "#contract/videos/track-names.ts";
import { cleanLanguage } from "#server/lib/track-language.ts";
import type { AudioFacts, MediaFacts } from "../facts/media-facts.ts";

/** File name of the default audio, without its extension. */
export const audioName = "audio";

/** Audio rendition of a ladder. */
export interface SoundPlan {
  /** File name without the extension. */
  file: string;
  track: AudioFacts;
  channels: 2 | 6;
  label: SoundLabel;
}

/** Label by which visitors choose an audio track. Names are unique. */
export type SoundLabel = VideoSound;

const kindNames = {
  main: null,
  description: "audio description",
  dub: "dub",
  commentary: "commentary",
};

/** Plans every track in stereo, default first, then those that can be mixed to 5.1. */
export function planSounds({ audio, otherAudio }: MediaFacts): SoundPlan[] {
  if (audio === null) return [];
  const tracks = [audio, ...otherAudio].map((track, at) => ({
    track,
    file: at === 0 ? audioName : `${audioName}-${at + 1}`,
    name: nameOf(track, at),
  }));
  const names = new Set<string>();
  const plan = (each: (typeof tracks)[number], channels: 2 | 6): SoundPlan => {
    const wanted = channels === 2 ? each.name : `${each.name} 5.1`;
    let name = wanted;
    for (let number = 2; names.has(name); number += 1) name = `${wanted} ${number}`;
    names.add(name);
    const { track } = each;
    const { kind } = track;
    return {
      file: channels === 2 ? each.file : `${each.file}-surround`,
      track,
      channels,
      label: { name, language: cleanLanguage(track.language), kind, channels },
    };
  };
  return [
    ...tracks.map((each) => plan(each, 2)),
    ...tracks
      .filter(({ track }) => track.channels >= 6 && track.isMixable)
      .map((each) => plan(each, 6)),
  ];
}

function nameOf({ title, language, kind }: AudioFacts, at: number): string {
  if (title !== null) return title;
  const named = nameOfLanguage(cleanLanguage(language)) ?? (at === 0 ? "Sound" : `Sound ${at + 1}`);
  return kindNames[kind] === null ? named : `${named} (${kindNames[kind]})`;
}
