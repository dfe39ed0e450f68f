import { createCutMove, cutChapters, type KeptPart } from "#contract/videos/kept-parts.ts";
import { tidyChapters } from "#server/lib/chapters.ts";
import { betweenJumps } from "./jumps.ts";
import type { AudioFacts, MediaFacts } from "./media-facts.ts";
import { cutTimeline, holdFrames, timelineEndS, type Timeline } from "./timeline.ts";

/** Nothing plays after the end of a track that is shorter than the video. */
const silence = { lengthS: Infinity, mediaS: null, rate: 1 };

const keep = (timeline: Timeline, parts: readonly KeptPart[]): Timeline =>
  parts.flatMap((part) => cutTimeline(timeline, part));

/**
 * Returns the facts of a source that is cut to these parts. A cut works like one more edit list: all
 * outputs follow the timelines of the tracks, so nothing else reaches the encoders.
 * @param facts after the scan.
 * @param parts in times of the whole video, in order and disjoint; null for all of it.
 */
export function cutFacts(facts: MediaFacts, parts: readonly KeptPart[] | null): MediaFacts {
  if (parts === null) return facts;
  const { video, startS, jumps } = facts;
  const isWhole = video.timeline === null;
  /** A track without an edit list plays from the start of the file, without its jumps. */
  const open = (timeline: Timeline | null, lengthS: number): Timeline =>
    timeline ?? keep([{ lengthS, mediaS: startS, rate: 1 }], betweenJumps(jumps));
  const toEnd = jumps.reduce((sum, { lengthS }) => sum + lengthS, 0);
  const cutSound = (track: AudioFacts): AudioFacts => {
    const timeline = keep([...open(track.timeline, track.endS + toEnd), silence], parts);
    // A part at the end of the track can be silent.
    const shown = timeline.slice(0, timeline.findLastIndex(({ mediaS }) => mediaS !== null) + 1);
    return { ...track, startS: 0, endS: timelineEndS(shown), timeline: shown };
  };
  const sounds = facts.audio === null ? [] : [facts.audio, ...facts.otherAudio];
  // A track that has ended before the first part isn't heard.
  const [audio = null, ...otherAudio] = sounds
    .map(cutSound)
    .filter((track) => track.timeline?.length !== 0);
  const timeline = keep(holdFrames(open(video.timeline, video.endS + toEnd)), parts);
  const endS = timelineEndS(timeline);
  const chapters = cutChapters(facts.chapters, createCutMove(null, parts), facts.durationS);
  return {
    ...facts,
    durationS: endS,
    chapters: tidyChapters(chapters.kept, endS),
    video: { ...video, endS, timeline, followsEdits: isWhole },
    audio,
    otherAudio,
    texts: facts.texts.map((track) => ({
      ...track,
      timeline: keep(
        track.timeline === null
          ? open(null, Infinity)
          : keep([...track.timeline, silence], betweenJumps(jumps)),
        parts,
      ),
    })),
    jumps: [],
  };
}
