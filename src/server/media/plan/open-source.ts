import { guardInput, guardMedia } from "../facts/input-guards.ts";
import { toFps, type AudioFacts, type MediaFacts, type Ratio } from "../facts/media-facts.ts";
import { steadyTimes } from "./encode-options.ts";
import {
  cutTimeline,
  holdFrames,
  leadOf,
  planReads,
  type PlacedPart,
  type Timeline,
} from "../facts/timeline.ts";

/** Seconds to decode before a part. The first packets after a seek sound wrong. */
const soundLeadS = 0.3;
/**
 * Frames to decode before a part. Containers seek by decoding times, so a keyframe that is shown
 * after the part starts can be found, and the frames before it are missing. No codec reorders more.
 */
const pictureLead = 17;
const sampleRate = 48_000;

/**
 * Opens a source for one run. A source with a timeline is read without its edit list: each part is
 * cut out to the frame and to the sample, and the parts are joined. Nothing else reaches the
 * encoders. Any other source is read as it is, by one input.
 * @param from `options` of each input, and the `window` of the video to read; all of it by default.
 */
export function openSource(
  { container, video }: Pick<MediaFacts, "container" | "video">,
  sourcePath: string,
  from: { options?: string[]; window?: { startS: number; endS: number } } = {},
) {
  const { options = [], window } = from;
  /** Options and files. Complete once all tracks are open. */
  const inputs: string[] = [];
  let inputCount = 0;
  let opened = 0;
  let whole: number | null = null;
  const add = (args: string[]): number => {
    inputs.push(...options, ...args);
    return inputCount++;
  };
  const openWhole = (index: number): string => {
    const startS = window?.startS ?? 0;
    const seek = startS > 0 ? ["-ss", startS.toFixed(3)] : [];
    whole ??= add([...seek, ...guardInput(container, sourcePath)]);
    return `[${whole}:${index}]`;
  };

  function join(
    { kind, index, unitsPerS }: { kind: "v" | "a"; index: number; unitsPerS: number },
    timeline: Timeline,
    cut: (part: PlacedPart, at: PartPlace) => string,
  ): string {
    const name = `${kind}${opened++}`;
    const leadS = kind === "a" ? soundLeadS : pictureLead / Math.max(toFps(video.fps), 1);
    const chains: string[] = [];
    const ends: string[] = [];
    const reads = listReads(timeline, unitsPerS);
    const partCount = reads.reduce((sum, parts) => sum + parts.length, 0);
    for (const parts of reads) {
      // AVI has no presentation times: only counting from its start gives the right frames.
      const fromS = container === "avi" ? 0 : Math.max(0, (parts[0]?.mediaS ?? 0) - leadS);
      const media = guardMedia(container, sourcePath, {
        fromS,
        followsEdits: video.followsEdits === true,
      });
      const source = `[${add(media)}:${index}]`;
      const copies = parts.map((_, at) => `[${name}copy${ends.length + at}]`);
      if (kind === "v" && ends.length === 0 && (video.rotationDeg !== 0 || video.isMirrored)) {
        // An input of its own: beside the parts of one input, held frames would never end.
        const other = add(["-t", "0.1", ...media]);
        chains.push(discard(`[${other}:${index}]`));
      }
      if (parts.length > 1) {
        chains.push(`${source}${kind === "v" ? "" : "a"}split=${parts.length}${copies.join("")}`);
      }
      for (const [at, part] of parts.entries()) {
        const end = `[${name}part${ends.length}]`;
        const emptyS = ends.length === 0 ? leadOf(timeline) : 0;
        const isFirst = ends.length === 0;
        const isLast = ends.length === partCount - 1;
        const filters = cut(part, { fromS, leadS: emptyS, isFirst, isLast });
        chains.push(`${parts.length > 1 ? copies[at] : source}${filters}${end}`);
        ends.push(end);
      }
    }
    const [first, second] = ends;
    if (first !== undefined && second === undefined) return [...chains, first].join(";");
    const streams = kind === "v" ? "v=1:a=0" : "v=0:a=1";
    const joined = `[${name}]`;
    // A part of a single frame has no length for `concat`, so its frames are numbered again.
    const renumber = kind === "v" ? `,settb=1/${unitsPerS},setpts=N` : "";
    const join = `${ends.join("")}concat=n=${ends.length}:${streams}${renumber}${joined}`;
    return [...chains, join, joined].join(";");
  }

  return {
    inputs,
    /** Opens the picture. @returns the start of its filter graph, which ends with a label. */
    picture(fps: Ratio): string {
      const { index, timeline } = video;
      if (timeline === null) {
        const input = openWhole(index);
        return `${discard(input)};${input}`;
      }
      const shown = window === undefined ? timeline : cutTimeline(holdFrames(timeline), window);
      const unitsPerS = fps.num / fps.den;
      return join({ kind: "v", index, unitsPerS }, shown, (part, at) => cutPicture(part, fps, at));
    },
    /** Opens a sound track. @returns the start of its filter graph, which ends with a label. */
    sound({ index, rightIndex, timeline }: AudioFacts): string {
      const open = (track: number): string => {
        if (timeline === null) return openWhole(track);
        const shown = window === undefined ? timeline : cutTimeline(timeline, window);
        return join({ kind: "a", index: track, unitsPerS: sampleRate }, shown, cutSound);
      };
      if (rightIndex === undefined) return open(index);
      const right = `${open(rightIndex)}anull[right]`;
      return `${right};${open(index)}[right]join=inputs=2:channel_layout=stereo[both];[both]`;
    },
  };
}

/** Inputs of one run of ffmpeg over a source, and the filters that play its timeline. */
export type OpenSource = ReturnType<typeof openSource>;

/**
 * Returns a filter chain without an output. ffmpeg 5 copies properties of the source to an output
 * whose graph has a single input, such as a display matrix that a filter has already applied. With
 * this chain, a graph has two.
 */
const discard = (input: string): string => `${input}select=0,nullsink`;

/** Returns the rate to convert opened frames to; null if they already have it. */
export const rateAfter = ({ video }: Pick<MediaFacts, "video">, fps: Ratio): Ratio | null =>
  video.timeline === null ? fps : null;

/** Returns the passes over a source, without parts that are shorter than a frame or sample. */
function listReads(timeline: Timeline, unitsPerS: number): PlacedPart[][] {
  const reads = planReads(timeline);
  if (reads === null) throw new Error("a timeline has too many parts");
  const hasLength = ({ startS, endS }: PlacedPart): boolean =>
    Math.round(endS * unitsPerS) > Math.round(startS * unitsPerS);
  const kept = reads.map((parts) => parts.filter(hasLength)).filter((parts) => parts.length > 0);
  return kept.length > 0 ? kept : reads.slice(0, 1).map(([part]) => [part]);
}

/** Position of a part in its media and among the parts of its track. */
interface PartPlace {
  /** Time in the media from which times count. */
  fromS: number;
  /** How long nothing plays before the first part. */
  leadS: number;
  isFirst: boolean;
  isLast: boolean;
}

/** Length of the fades at joints, in samples: 4 ms. Without them, joints click. */
const fadeSamples = 192;

/**
 * Returns the filters that make one part from decoded frames, whose times count from `fromS`. The
 * frame that is visible at the start of the part comes first, and at a constant rate the part has
 * as many frames as fit. The last one is held while nothing plays.
 */
function cutPicture(
  { mediaS, rate, startS, playsUntilS, endS }: PlacedPart,
  fps: Ratio,
  { fromS, leadS }: PartPlace,
): string {
  const toFrame = (timeS: number): number => Math.round((timeS * fps.num) / fps.den);
  const first = toFrame(startS);
  const played = rate === 0 ? 1 : Math.max(1, toFrame(playsUntilS) - first);
  const held = Math.max(0, toFrame(endS) - first - played);
  const lead = toFrame(leadS);
  // The first frame of the output may be a little before or after the start of the part.
  const offsetS = (first * fps.den) / fps.num - startS;
  return [
    rebase("setpts", mediaS - fromS + offsetS * rate, rate),
    `fps=${fps.num}/${fps.den}:start_time=0`,
    `tpad=start=${lead}:start_mode=clone:stop=-1:stop_mode=clone`,
    `trim=end_frame=${lead + played}`,
    ...(held > 0 ? [`tpad=stop=${held}:stop_mode=clone`] : []),
  ].join(",");
}

/** Returns the filters that make one part from decoded sound. It is silent while nothing plays. */
function cutSound(
  { mediaS, rate, startS, playsUntilS, endS }: PlacedPart,
  { fromS, leadS, isFirst, isLast }: PartPlace,
): string {
  const toSample = (timeS: number): number => Math.round(timeS * sampleRate);
  const played = toSample(playsUntilS) - toSample(startS);
  const silent = toSample(endS) - toSample(playsUntilS);
  return [
    rebase("asetpts", mediaS - fromS, 1),
    steadyTimes(`${sampleRate}:first_pts=0:`),
    ...(rate === 0 ? ["volume=0"] : listTempos(rate).map((tempo) => `atempo=${tempo}`)),
    `apad,atrim=end_sample=${played}`,
    ...(isFirst || played < fadeSamples * 2 ? [] : [`afade=t=in:ns=${fadeSamples}`]),
    ...(isLast || played < fadeSamples * 2
      ? []
      : [`afade=t=out:ss=${played - fadeSamples}:ns=${fadeSamples}`]),
    ...(silent > 0 ? [`apad=pad_len=${silent}`] : []),
    ...(leadS > 0 ? [`adelay=${toSample(leadS)}S:all=1`] : []),
  ].join(",");
}

/** Returns the filter that makes times count from a moment, at a rate. */
function rebase(name: "setpts" | "asetpts", startS: number, rate: number): string {
  const times = `PTS-(${startS.toFixed(9)})/TB`;
  return rate === 1 || rate === 0 ? `${name}=round(${times})` : `${name}=round((${times})/${rate})`;
}

/** Divides a tempo into factors that sound clean, of 0.5 to 2. */
function listTempos(rate: number): number[] {
  if (rate === 1) return [];
  if (rate > 2) return [2, ...listTempos(rate / 2)];
  if (rate < 0.5) return [0.5, ...listTempos(rate * 2)];
  return [rate];
}
