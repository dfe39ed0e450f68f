import { stat } from "node:fs/promises";
import { captionLimits } from "#contract/videos/captions.ts";
import type { AppError } from "#server/lib/app-error.ts";
import { cleanTitle, tidyChapters } from "#server/lib/chapters.ts";
import { maxPixels } from "../facts/input-guards.ts";
import { isOverLimits, lastLines } from "../run/media-process-error.ts";
import type { MediaTools } from "../run/media-tools.ts";
import type { MediaFacts, TextTrackFacts } from "../facts/media-facts.ts";
import { planReads, timelineEndS, playTimes, type Timeline } from "../facts/timeline.ts";
import {
  chooseVideo,
  declaredEndS,
  findHalves,
  hasEncryption,
  listSounds,
} from "./choose-streams.ts";
import type { ProbedInfo, ProbedStream } from "./ffprobe-output.ts";
import { readHead, readKind } from "./magic.ts";
import {
  findChapterStream,
  findEdits,
  findTextTimeline,
  findTrack,
  mayBeEdited,
} from "./edit-list.ts";
import { isTextTrack, listNotices } from "./notices.ts";
import { readOuterStructure } from "./outer-structure.ts";
import { createProber, type FrameReading, type Prober } from "./prober.ts";
import { findTooManyPixels, refuse, refuseKind } from "./refusals.ts";
import { scanPackets } from "./scan.ts";
import { toAudioFacts, toVideoFacts } from "./stream-facts.ts";

/**
 * Lists a file's text subtitles. If there are too many, prefers forced and default ones.
 * @param timelineOf returns what plays of a stream.
 */
function listTextTracks(
  info: ProbedInfo,
  timelineOf: (stream: ProbedStream) => TextTrackFacts["timeline"],
): TextTrackFacts[] {
  const isPreferred = ({ disposition }: ProbedStream): number =>
    Number(disposition["forced"] === 1 || disposition["default"] === 1);
  return info.streams
    .filter(isTextTrack)
    .toSorted((a, b) => isPreferred(b) - isPreferred(a))
    .slice(0, captionLimits.maxTracks)
    .toSorted((a, b) => a.index - b.index)
    .map((stream) => ({ stream, timeline: timelineOf(stream) }))
    .map(({ stream: { index, codec_name: codec = "text", tags, disposition }, timeline }) => ({
      index,
      codec,
      language: tags["language"] ?? null,
      title: tags["title"] ?? handlerName(tags["handler_name"]),
      isDefault: disposition["default"] === 1,
      isForced: disposition["forced"] === 1,
      isDescription: disposition["descriptions"] === 1 || disposition["visual_impaired"] === 1,
      timeline,
    }));
}

/** Ignores names that programs write for tracks without a title. */
const handlerName = (name: string | undefined): string | null =>
  name === undefined || /handler|core media|subtitle|@gpac/i.test(name) ? null : name;

/**
 * Returns a file's chapters, in seconds from its start.
 * @param timeline what plays of the track with the chapters; null if their times count from
 * `startS`. A chapter of which nothing plays is left out.
 */
function listChapters(
  info: ProbedInfo,
  { startS, durationS }: { startS: number; durationS: number },
  timeline: Timeline | null,
): MediaFacts["chapters"] {
  const chapters = info.chapters.flatMap(({ start_time: at, end_time: end, tags }, i) => {
    const title = cleanTitle(tags["title"] ?? "");
    const chapter = { startS: at ?? 0, endS: end ?? Infinity };
    const times =
      timeline === null ? [{ startS: (at ?? 0) - startS }] : playTimes(timeline, chapter);
    return times.map((time) => ({
      startS: Math.max(0, Math.round(time.startS * 1000) / 1000),
      title: title === "" ? `Chapter ${i + 1}` : title,
    }));
  });
  const sorted = timeline === null ? chapters : chapters.toSorted((a, b) => a.startS - b.startS);
  return tidyChapters(sorted, durationS);
}

export interface ProbeDeps {
  tools: MediaTools;
  /** Empty folder to run in. */
  cwd: string;
  maxDurationS: number;
}

/**
 * Maximum difference between a declared duration and the end of the last packet. If it is larger,
 * the declared duration is ignored.
 */
const durationSlackS = 1;
const durationSlackShare = 0.05;

/**
 * Checks a local file by its content and reads the properties that processing needs. Fast, because
 * it only reads the index, the first frames and the last packets. Messages contain the reason.
 * @throws AppError unsupported_media if the file isn't a video in a supported container;
 * unusable_video for a video that can't be processed.
 */
export async function probeFile(
  deps: ProbeDeps,
  localPath: string,
  signal?: AbortSignal,
): Promise<MediaFacts> {
  const { size: sizeBytes } = await stat(localPath);
  const kind = readKind(await readHead(localPath));
  if (kind.kind !== "video") throw refuseKind(kind);
  const { container } = kind;
  const outer = await readOuterStructure(localPath, container, sizeBytes);
  if (outer.hasEncryptedVideo) throw refuse.encrypted();
  const open = async (ignoresEdits: boolean) => {
    const prober = createProber(deps, container, localPath, { ignoresEdits, signal });
    const { info, endsS } = await prober.readInfo(outer.endsEarly);
    const videoStream = chooseVideo(info, outer.endsEarly);
    const sounds = listSounds(info);
    const edits = ignoresEdits ? findEdits(outer, [videoStream, ...sounds], endsS) : null;
    return { prober, info, endsS, videoStream, sounds, edits };
  };
  const examined = await open(mayBeEdited(outer));
  // If the packets show that an edit list hides nothing, ffmpeg follows it.
  const file = examined.edits?.isEdited === false ? await open(false) : examined;
  const { prober, info, endsS, videoStream, edits } = file;
  const timelineOf = ({ index }: ProbedStream): Timeline | null =>
    edits?.timelines.get(index) ?? null;
  const hasSeveralConfigs = (stream: ProbedStream): boolean =>
    (findTrack(outer.tracks, stream)?.descriptions ?? 1) > 1;
  checkTimeline(timelineOf(videoStream));
  const sounds = outer.hasEncryptedAudio
    ? []
    : file.sounds.filter((stream) => timelineOf(stream)?.length !== 0);
  const both = { video: videoStream, sounds };
  const [reading, audible] =
    (await readTogether(prober, info, both)) ??
    (await Promise.all([
      readFirstFrames(prober, videoStream.index, framePackets),
      findAudible(prober, sounds),
    ]));
  const [first, ...more] = reading.frames;
  if (hasEncryption(info) && !reading.isClean) throw refuse.encrypted();
  if (first === undefined) throw explainNoFrame(videoStream, reading, outer.endsEarly);

  const startS = edits === null ? (info.format.start_time ?? 0) : 0;
  const endOf = (stream: ProbedStream): number => {
    const timeline = timelineOf(stream);
    if (timeline !== null) return timelineEndS(timeline);
    return Math.max((endsS.get(stream.index) ?? declaredEndS(stream)) - startS, 0);
  };
  const halves = findHalves(audible, timelineOf, endOf);
  const [audio = null, ...otherAudio] = audible
    .filter((stream) => stream !== halves?.right)
    .map((stream) => ({
      ...toAudioFacts(stream, {
        startS: (stream.start_time ?? startS) - startS,
        endS: endOf(stream),
        timeline: timelineOf(stream),
        hasSeveralConfigs: hasSeveralConfigs(stream),
      }),
      ...(stream === halves?.left ? { channels: 2, rightIndex: halves.right.index } : {}),
    }));
  const measuredS = Math.max(endOf(videoStream), audio?.endS ?? 0);
  const declaredS =
    edits === null ? declaredLength(info.format.duration ?? 0, startS, measuredS) : measuredS;
  const slackS = Math.max(durationSlackS, measuredS * durationSlackShare);
  const isDeclaredPlausible =
    declaredS > 0 && !outer.endsEarly && Math.abs(declaredS - measuredS) <= slackS;
  const durationS = isDeclaredPlausible ? declaredS : measuredS;

  const video = toVideoFacts(videoStream, [first, ...more], {
    endS: endOf(videoStream),
    durationS,
    isCleanStart: reading.isClean,
    timeline: timelineOf(videoStream),
    hasSeveralConfigs: hasSeveralConfigs(videoStream),
  });
  const textStartS = edits?.startS ?? startS;
  const chapterStream = edits === null ? null : findChapterStream(outer, info.streams);
  const hasLongerTrack = listOthers(info, [videoStream, ...audible.slice(0, 1)]).some(
    (stream) => declaredEndS(stream) >= declaredS - slackS,
  );
  const isShort = declaredS > measuredS + slackS && !hasLongerTrack;
  const isTruncated = outer.endsEarly || (isShort && isPlausible(declaredS, sizeBytes));
  const facts: MediaFacts = {
    container,
    sizeBytes,
    durationS: Math.max(durationS, video.fps.den / video.fps.num),
    isTruncated,
    startS,
    video,
    audio,
    otherAudio,
    texts: listTextTracks(info, (stream) =>
      container === "mov" ? findTextTimeline(outer, stream, textStartS) : null,
    ),
    chapters: listChapters(
      info,
      { startS: textStartS, durationS },
      chapterStream === null ? null : findTextTimeline(outer, chapterStream, textStartS),
    ),
    jumps: [],
    notices: listNotices(info, {
      videoStream,
      video,
      audio,
      soundCount: audible.length,
      lostSound: sounds[0] ?? null,
      hasEncryptedAudio: outer.hasEncryptedAudio,
      hasSecondMovie: outer.hasSecondMovie,
      cut: isTruncated ? { declaredS, measuredS } : null,
      hiddenS: edits?.hiddenS ?? 0,
    }),
    alsoOpen: prober.listAlsoOpen(),
  };
  if (durationS > deps.maxDurationS) {
    const { facts: played } = await scanPackets(deps, facts, localPath, signal);
    if (played.durationS > deps.maxDurationS) {
      throw refuse.tooLong(played.durationS, deps.maxDurationS);
    }
  }
  return facts;
}

/** Refuses a video of which nothing plays, or that can't be read in a few passes. */
function checkTimeline(timeline: Timeline | null): void {
  if (timeline === null) return;
  if (timeline.length === 0) throw refuse.nothingShown();
  if (planReads(timeline) === null) throw refuse.tooManyEdits();
}

/** Number of packets to decode for the first frames. Increases until one is found. */
const framePackets = [12, 600, 3000] as const;
/** Number of packets that contain about that many frames if there is also an audio track. */
const packetsOfBoth = 48;
const enoughFrames = 6;

/**
 * Reads picture and audio in one run if the file has just these two tracks, because starting
 * another run costs as much as reading.
 */
async function readTogether(
  prober: Prober,
  info: ProbedInfo,
  tracks: { video: ProbedStream; sounds: ProbedStream[] },
): Promise<Chosen | null> {
  if (tracks.sounds.length !== 1 || info.streams.length !== 2 || hasEncryption(info)) return null;
  return chooseFrames(await prober.readFrames("all", packetsOfBoth), info, tracks);
}

type Chosen = [FrameReading & { isClean: boolean }, ProbedStream[]];

/** Returns the video frames among those of all tracks; null if a track needs a closer look. */
function chooseFrames(
  found: FrameReading,
  info: ProbedInfo,
  { video, sounds }: { video: ProbedStream; sounds: ProbedStream[] },
): Chosen | null {
  if (hasEncryption(info) || info.streams.length !== sounds.length + 1) return null;
  const { frames, ...reading } = found;
  const framesOf = (stream: ProbedStream) =>
    frames.filter((frame) => frame.stream_index === stream.index);
  const shown = framesOf(video).slice(0, framePackets[0]);
  const isWhole = reading.decoderErrors.length === 0 && shown.length >= enoughFrames;
  if (!isWhole || sounds.some((sound) => framesOf(sound).length === 0)) return null;
  return [{ ...reading, frames: shown, isClean: true }, sounds];
}

/**
 * Returns the tracks that can be decoded, in the same order. Checks them one by one, because a file
 * may contain many.
 */
async function findAudible(prober: Prober, sounds: ProbedStream[]): Promise<ProbedStream[]> {
  const audible: ProbedStream[] = [];
  for (const stream of sounds) {
    const { frames } = await readFirstFrames(prober, stream.index, [6, 600, 6000]);
    if (frames.length > 0) audible.push(stream);
  }
  return audible;
}

/**
 * Decodes the start of a stream, and more of it until a frame appears. A file may begin with
 * damaged frames, or with frames before a cut made without encoding.
 */
async function readFirstFrames(
  prober: Prober,
  index: number,
  packetCounts: readonly number[],
): Promise<FrameReading & { isClean: boolean }> {
  let isClean = true;
  let reading: FrameReading | null = null;
  for (const count of packetCounts) {
    reading = await prober.readFrames(index, count);
    isClean &&= reading.decoderErrors.length === 0;
    // If hundreds of packets contain no frame, they are hidden, or they are damaged and so are the
    // next ones.
    if (reading.frames.length > 0 || (count >= 600 && !isClean)) break;
  }
  if (reading === null) throw new Error("no packets were asked for");
  return { ...reading, isClean };
}

/**
 * Returns a file's declared duration. If its times don't start at 0, some programs declare the end
 * and others the difference, so the one closer to the measured duration is used.
 */
function declaredLength(declaredS: number, startS: number, measuredS: number): number {
  const untilEndS = declaredS - startS;
  const isEnd = Math.abs(untilEndS - measuredS) < Math.abs(declaredS - measuredS);
  return isEnd ? untilEndS : declaredS;
}

/** Returns tracks that don't determine the duration. These may be longer, for example subtitles. */
const listOthers = ({ streams }: ProbedInfo, told: readonly ProbedStream[]): ProbedStream[] =>
  streams.filter((stream) => !told.includes(stream));

/**
 * Returns whether a declared duration is plausible. If it implies less than a kilobit per second,
 * it is an error in the file.
 */
function isPlausible(declaredS: number, sizeBytes: number): boolean {
  return (sizeBytes * 8) / declaredS > 1000;
}

function explainNoFrame(stream: ProbedStream, reading: FrameReading, endsEarly: boolean): AppError {
  const cause = new Error(lastLines(reading.result.stderr, 4));
  const size = findTooManyPixels(reading.result.stderr);
  if (size !== null) return refuse.tooLarge(size.width, size.height);
  if ((stream.width ?? 0) * (stream.height ?? 0) > maxPixels) {
    return refuse.tooLarge(stream.width ?? 0, stream.height ?? 0);
  }
  if (isOverLimits(reading.result)) return refuse.tooDemanding(cause);
  return endsEarly ? refuse.cutShort(cause) : refuse.undecodable(cause);
}
