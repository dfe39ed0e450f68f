import { clipSize, windowSize } from "#contract/videos/clip-window.ts";
import type { ClipFraming, ClipPoint, ClipWindow } from "#contract/videos/clips.ts";
import type { CaptionLine } from "#contract/videos/captions.ts";
import { toFps, type AudioFacts, type MediaFacts, type Ratio } from "../facts/media-facts.ts";
import { jumpFilter, withJumps } from "../facts/jumps.ts";
import type { PacketScan } from "../facts/packet-scan.ts";
import { cutTimeline } from "../facts/timeline.ts";
import {
  encodeVideo,
  escapeFilterOption,
  planDecoderThreads,
  planVolume,
  separateGraphs,
  soundOptions,
  steadyTimes,
  stripOptions,
} from "./encode-options.ts";
import { openSource } from "./open-source.ts";
import { planLeadS } from "./pictures.ts";
import { mp4Output } from "./playable.ts";
import { inputOptions, planVideoFilter, type FilterAbilities } from "./video-filter.ts";

/** Passage of a video, in seconds of what plays. */
export interface Passage {
  startS: number;
  endS: number;
}

/** Files for captions that become part of the picture. */
interface BurntCaptions {
  /** Subtitles in the ASS format, with times that count from the start of the clip. */
  path: string;
  fontsFolder: string;
}

interface Size {
  width: number;
  height: number;
}

/** Maximum number of frames to decode before a passage: about those of the longest passage. */
const maxLeadFrames = 3000;
/**
 * Returns how long to decode before a passage without a timeline. The frame that is visible at its
 * start may be that much older.
 */
export const planClipLeadS = (scan: PacketScan): number =>
  Math.max(2, planLeadS(scan, maxLeadFrames));
const sampleRate = 48_000;
/** Quality of a clip's file, from which its renditions are made. */
const sourceCrf = 16;
/**
 * Returns the maximum rate of a clip's picture: 60 Mbit/s at 1080p30. Browsers play H.264 up to level
 * 5.2, which has at most 240 Mbit/s.
 */
const planMaxrateKbps = ({ width, height }: Size, fps: Ratio): number =>
  Math.min(240_000, Math.ceil((60_000 * width * height * toFps(fps)) / (1920 * 1080 * 30)));

const soundKbps = 256;

/** Returns the maximum size of a clip's file in bytes. The encoder's buffer holds another second. */
export const planClipBytes = (size: Size, fps: Ratio, lengthS: number): number =>
  Math.ceil(2 ** 20 + (planMaxrateKbps(size, fps) + soundKbps) * 125 * (lengthS + 1) * 1.2);

/**
 * An editor waits for the clip. Measured with 30 s of 1080p on two cores: `ultrafast` without B
 * frames takes 4.8 s, with 1.4 times the bytes of `superfast`, which takes 5.8 s. At this quality,
 * both look the same.
 */
const fastEncode = ["-preset:v:0", "ultrafast", "-bf:v:0", "0"];

const even = (size: number): number => Math.max(2, Math.floor(size / 2) * 2);

/** Returns the size of a clip. Nothing is enlarged. */
export function clipOutputSize(framing: ClipFraming, { width, height }: Size): Size {
  if (framing.kind === "as-is") return { width: even(width), height: even(height) };
  if (framing.kind === "crop") {
    const window = windowSize(framing.window, { width, height });
    const scale = Math.min(1, clipSize.width / window.width);
    return { width: even(window.width * scale), height: even(window.height * scale) };
  }
  const wide = even(Math.min(clipSize.width, width));
  return { width: wide, height: even((wide * clipSize.height) / clipSize.width) };
}

/** Returns the expression of the filter `crop` for one side; see `windowAt`. */
function windowSide({ from, move }: ClipWindow, side: keyof ClipPoint, space: string): string {
  if (move === null) return `${space}*${from[side]}`;
  const u = `clip((t-${move.startS})/${move.endS - move.startS},0,1)`;
  const change = move.to[side] - from[side];
  return `${space}*(${from[side]}+(${change})*${u}*${u}*(3-2*${u}))`;
}

/** Returns the filters from an upright picture to the shape of the clip. */
function planFraming(framing: ClipFraming, picture: Size): string {
  const { width, height } = clipOutputSize(framing, picture);
  const scale = `scale=${width}:${height},setsar=1`;
  if (framing.kind === "as-is") return scale;
  if (framing.kind === "crop") {
    const window = windowSize(framing.window, picture);
    const x = windowSide(framing.window, "x", "(iw-ow)");
    const y = windowSide(framing.window, "y", "(ih-oh)");
    return `crop=${window.width}:${window.height}:x='${x}':y='${y}',${scale}`;
  }
  // The ground is blurred at a fraction of its size, which looks the same. With chroma of half the
  // size, the blur needs 16 pixels.
  const small = { width: Math.max(16, even(width / 12)), height: Math.max(16, even(height / 12)) };
  const cover = `${small.width}:${small.height}`;
  return (
    [
      "split[ground][whole]",
      `[ground]scale=${cover}:force_original_aspect_ratio=increase,crop=${cover}`,
    ].join(";") +
    `,boxblur=4:2,scale=${width}:${height}:flags=bilinear,eq=brightness=-0.08,setsar=1[blurred];` +
    `[whole]scale=${width}:${height}:force_original_aspect_ratio=decrease:force_divisible_by=2,setsar=1[sharp];` +
    "[blurred][sharp]overlay=(W-w)/2:(H-h)/2:format=yuv420"
  );
}

/** Returns whether a sound track is heard in a passage. */
const isHeard = (track: AudioFacts, { startS, endS }: Passage): boolean =>
  track.timeline === null
    ? track.endS > startS + 0.05 && track.startS < endS
    : cutTimeline(track.timeline, { startS, endS }).some(({ mediaS }) => mediaS !== null);

/** Returns arguments that make the file of a clip: one encode, exact to the frame and sample. */
export function clipArgs(
  facts: MediaFacts,
  sourcePath: string,
  plan: {
    passage: Passage;
    /** See `planClipLeadS`. */
    leadS: number;
    framing: ClipFraming;
    fps: Ratio;
    threads: number;
    abilities: FilterAbilities;
    captions: BurntCaptions | null;
  },
  outputPath: string,
): string[] {
  const { passage, leadS, fps, framing } = plan;
  const { video } = facts;
  const lengthS = passage.endS - passage.startS;
  const frames = Math.max(1, Math.round(lengthS * toFps(fps)));
  const startS = withJumps(passage.startS, facts.jumps);
  const fromS = Math.max(0, startS - leadS);
  const within = facts.jumps
    .filter(({ atS }) => atS > startS)
    .map((jump) => ({ ...jump, atS: jump.atS - fromS }));
  const readS = within.reduce((sum, jump) => sum + jump.lengthS, startS - fromS + lengthS + 1);
  const hasTimeline = video.timeline !== null;
  const source = openSource(facts, sourcePath, {
    options: [
      ...planDecoderThreads(video, plan.threads),
      ...inputOptions(video, plan.abilities),
      ...soundOptions(facts, plan.abilities),
      ...(hasTimeline ? [] : ["-t", readS.toFixed(3)]),
    ],
    window: hasTimeline ? passage : { startS: fromS, endS: passage.endS },
  });
  const skippedS = (startS - fromS).toFixed(6);
  const rate = `fps=${fps.num}/${fps.den}`;
  const picture = [
    ...(hasTimeline
      ? []
      : [
          ...jumpFilter("setpts", within),
          `setpts=PTS-${skippedS}/TB`,
          // The last frame may be older than the passage, so it is repeated at a known rate.
          `${rate}:start_time=-${skippedS}`,
          "tpad=stop=-1:stop_mode=clone",
          `${rate}:start_time=0`,
        ]),
    `trim=end_frame=${frames}`,
    planVideoFilter(video, { width: video.width, height: video.height, fps: null }, plan.abilities),
    planFraming(framing, video),
    ...(plan.captions === null ? [] : [burnFilter(plan.captions)]),
    "format=yuv420p",
  ].join(",");
  const maxrateKbps = planMaxrateKbps(clipOutputSize(framing, video), fps);
  const track = facts.audio !== null && isHeard(facts.audio, passage) ? facts.audio : null;
  const sound =
    track === null
      ? null
      : [
          ...(track.timeline === null
            ? [
                ...jumpFilter("asetpts", within),
                `asetpts=PTS-${skippedS}/TB`,
                `atrim=start=0,${steadyTimes(`${sampleRate}:first_pts=0:`)}`,
              ]
            : []),
          ...planVolume(track, 0),
          `apad,atrim=end_sample=${Math.round((frames / toFps(fps)) * sampleRate)}`,
        ].join(",");
  const graphs = [
    `${source.picture(fps)}${picture}[v]`,
    ...(track === null || sound === null ? [] : [`${source.sound(track)}${sound}[a]`]),
  ];
  return [
    ...source.inputs,
    ...separateGraphs(graphs),
    ...["-map", "[v]"],
    ...(track === null
      ? []
      : [
          ...["-map", "[a]", "-c:a", "aac", "-b:a", `${soundKbps}k`],
          ...["-ac", "2", "-ar", String(sampleRate)],
        ]),
    ...stripOptions,
    ...encodeVideo({ crf: sourceCrf, maxrateKbps }, fps, 0, plan.threads),
    // The usual buffer of two seconds would raise the level.
    ...["-bufsize:v:0", `${maxrateKbps}k`],
    ...fastEncode,
    ...mp4Output(outputPath),
  ];
}

export const burnFilter = ({ path, fontsFolder }: BurntCaptions): string =>
  `ass=${escapeFilterOption(path)}:fontsdir=${escapeFilterOption(fontsFolder)}`;

/** Returns "0:01:02.34". */
function assTime(ms: number): string {
  const pad = (value: number, length = 2): string => String(value).padStart(length, "0");
  const total = Math.round(ms / 10);
  const [hundredths, seconds] = [total % 100, Math.floor(total / 100)];
  return `${Math.floor(seconds / 3600)}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}.${pad(hundredths)}`;
}

/** Characters that are about as wide as the font size: East Asian ones and emoji. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff01-\uff60\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const narrowWidth = 0.6;

/** Returns the width of a text relative to the font size, roughly and rather too much. */
const widthOf = (text: string): number =>
  Array.from(text.replaceAll(/\p{M}/gu, "")).reduce(
    (sum, character) => sum + (wide.test(character) ? 1 : narrowWidth),
    0,
  );

const words = new Intl.Segmenter("en", { granularity: "word" });
const characters = new Intl.Segmenter("en");
const split = (segmenter: Intl.Segmenter, text: string): string[] =>
  Array.from(segmenter.segment(text), ({ segment }) => segment);

/** Returns words with the punctuation and spaces around them. Words that are too wide are divided. */
function splitWords(text: string, maxWidth: number): string[] {
  const parts: string[] = [];
  for (const word of split(words, text)) {
    const before = parts.at(-1);
    const belongsBefore = /^[\p{P}\p{Z}]/u.test(word) && !/^[\p{Ps}\p{Pi}]/u.test(word);
    if (before !== undefined && (belongsBefore || /[\p{Ps}\p{Pi}]$/u.test(before))) {
      parts[parts.length - 1] = before + word;
    } else parts.push(word);
  }
  return parts.flatMap((part) => (widthOf(part) > maxWidth ? split(characters, part) : [part]));
}

/** Breaks rows that are too wide, because libass breaks rows only at spaces. */
function breakRow(row: string, maxWidth: number): string {
  const runs = row.replaceAll(/<\/?[biu]>/g, "").split(" ");
  if (runs.every((run) => widthOf(run) <= maxWidth)) return row;
  let rowWidth = 0;
  const place = (part: string): string => {
    const isBroken = rowWidth > 0 && rowWidth + widthOf(part.trimEnd()) > maxWidth;
    rowWidth = (isBroken ? 0 : rowWidth) + widthOf(part);
    return isBroken ? `\n${part}` : part;
  };
  return row
    .split(/(<\/?[biu]>)/)
    .flatMap((text, at) => (at % 2 === 1 ? text : splitWords(text, maxWidth).map(place)))
    .join("");
}

/**
 * Text of a caption line, which may contain b, i and u, without anything else that ASS would read.
 * Readings above words, which ASS doesn't have, are left out.
 * @param maxWidth of a row, relative to the font size.
 */
function assText(text: string, maxWidth: number): string {
  return text
    .replaceAll(/<rt>.*?<\/rt>|<\/?(?:ruby|rt)>/gs, "")
    .split(/\r\n?|\n/)
    .map((row) => breakRow(row, maxWidth))
    .join("\n")
    .replaceAll("\\", "/")
    .replaceAll(/[{}]/g, String.raw`\$&`)
    .replaceAll(
      /<(\/?)([biu])>/g,
      (_, slash: string, tag: string) => `{\\${tag}${slash === "" ? 1 : 0}}`,
    )
    .replaceAll("\n", "\\N");
}

/** Name of the site's font in its files. */
const captionFont = "Inter";

/**
 * Writes the caption lines of a passage as an ASS file for a picture of this size. Lines of an upright
 * clip stay above the texts that the feed shows over it.
 */
export function writeBurntCaptions(
  lines: readonly CaptionLine[],
  { startS, endS }: Passage,
  { width, height }: Size,
): string {
  const isUpright = height > width;
  const size = Math.round(isUpright ? width * 0.068 : height * 0.062);
  const margin = Math.round(height * (isUpright ? 0.2 : 0.06));
  const side = Math.round(width * 0.07);
  const [fromMs, untilMs] = [startS * 1000, endS * 1000];
  // The encoding -1 finds the direction of each line in its text.
  const style = [
    ...["Default", captionFont, size, "&H00FFFFFF", "&H00FFFFFF", "&H00101010", "&H80000000"],
    ...[-1, 0, 0, 0, 100, 100, 0, 0, 1, Math.max(1, Math.round(size / 14)), 0, 2],
    ...[side, side, margin, -1],
  ].join(",");
  return [
    "[Script Info]",
    "ScriptType: v4.00+",
    `PlayResX: ${width}`,
    `PlayResY: ${height}`,
    "WrapStyle: 0",
    "ScaledBorderAndShadow: yes",
    "",
    "[V4+ Styles]",
    "Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding",
    `Style: ${style}`,
    "",
    "[Events]",
    "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text",
    ...lines
      .filter((line) => line.endMs > fromMs && line.startMs < untilMs)
      .map(
        (line) =>
          `Dialogue: 0,${assTime(Math.max(0, line.startMs - fromMs))},${assTime(Math.min(untilMs, line.endMs) - fromMs)},Default,,0,0,0,,${assText(line.text, (width - 2 * side) / size)}`,
      ),
    "",
  ].join("\n");
}
