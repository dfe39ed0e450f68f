import { stat } from "node:fs/promises";
import type { AppError } from "#server/lib/app-error.ts";
import { maxPixels } from "../facts/input-guards.ts";
import { isOverLimits, lastLines } from "../run/media-process-error.ts";
import type { MediaTools } from "../run/media-tools.ts";
import { chooseVideo, hasEncryption, listSounds } from "./choose-streams.ts";
import type { ProbedInfo, ProbedStream } from "./ffprobe-output.ts";
import { readHead, readKind } from "./magic.ts";
import type { MediaFacts } from "../facts/media-facts.ts";
import { listNotices } from "./notices.ts";
import { readOuterStructure } from "./outer-structure.ts";
import { listChapters } from "./list-chapters.ts";
import { listTextTracks } from "./text-tracks.ts";
import { createProber, type FrameReading, type Prober } from "./prober.ts";
import { findTooManyPixels, refuse, refuseKind } from "./refusals.ts";
import { toAudioFacts, toVideoFacts } from "./stream-facts.ts";

export interface ProbeDeps {
  tools: MediaTools;
  /** An empty folder to run in. */
  cwd: string;
  maxDurationS: number;
}

/** A declared duration that differs by more from the end of the last packet is ignored. */
const durationSlackS = 1;
const durationSlackShare = 0.05;

/**
 * Checks a local file by its bytes and reads the properties that processing needs. It is quick: it
 * reads only the index, the first frames and the last packets. Throws AppError `unsupported_media`
 * for a file that is not a video in a supported container, and `unusable_video` for a video that
 * cannot be processed; the message says why.
 */
export async function probeFile(
  deps: ProbeDeps,
  localPath: string,
  signal?: AbortSignal,
): Promise<MediaFacts> {
  const { size: sizeBytes } = await stat(localPath);
  const kind = readKind(await readHead(localPath));
  if (kind.kind !== "video") throw refuseKind(kind);
  const prober = createProber(deps, kind.container, localPath, signal);

  const outer = await readOuterStructure(localPath, kind.container, sizeBytes);
  if (outer.hasEncryptedVideo) throw refuse.encrypted();
  const { info, endsS } = await prober.readInfo(outer.isCut);
  const videoStream = chooseVideo(info, outer.isCut);
  const sounds = listSounds(info);
  const both = { video: videoStream, sounds };
  const [reading, audible] =
    (await readTogether(prober, info, both)) ??
    (await Promise.all([
      readFirstFrames(prober, videoStream.index, framePackets),
      outer.hasEncryptedAudio ? [] : findAudible(prober, sounds),
    ]));
  const [first, ...more] = reading.frames;
  if (hasEncryption(info) && !reading.isClean) throw refuse.encrypted();
  if (first === undefined) throw explainNoFrame(videoStream, reading, outer.isCut);

  const startS = info.format.start_time ?? 0;
  // Where the seek returned no packet of a stream, its declared duration is used.
  const endOf = (stream: ProbedStream): number =>
    Math.max((endsS.get(stream.index) ?? startS + (stream.duration ?? 0)) - startS, 0);
  const [audio = null, ...otherAudio] = audible.map((stream) =>
    toAudioFacts(stream, endOf(stream)),
  );
  const measuredS = Math.max(endOf(videoStream), audio?.endS ?? 0);
  const declaredS = declaredLength(info.format.duration ?? 0, startS, measuredS);
  const slackS = Math.max(durationSlackS, measuredS * durationSlackShare);
  const isDeclaredRight =
    declaredS > 0 && !outer.isCut && Math.abs(declaredS - measuredS) <= slackS;
  const durationS = isDeclaredRight ? declaredS : measuredS;
  if (durationS > deps.maxDurationS) throw refuse.tooLong(durationS, deps.maxDurationS);

  const video = toVideoFacts(videoStream, [first, ...more], {
    endS: endOf(videoStream),
    durationS,
    isCleanStart: reading.isClean,
  });
  const isOtherLonger = listOthers(info, [videoStream, ...audible.slice(0, 1)]).some(
    (stream) => declaredEndS(stream) >= declaredS - slackS,
  );
  const isShort = declaredS > measuredS + slackS && !isOtherLonger;
  const isTruncated = outer.isCut || (isShort && isPlausible(declaredS, sizeBytes));
  return {
    container: kind.container,
    sizeBytes,
    durationS: Math.max(durationS, video.fps.den / video.fps.num),
    isTruncated,
    startS,
    video,
    audio,
    otherAudio,
    texts: listTextTracks(info, outer.editShiftsS),
    chapters: listChapters(info, { startS, durationS }),
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
    }),
    alsoOpen: prober.listAlsoOpen(),
  };
}

/** How many packets are decoded to see the picture; more while none gives a frame. */
const framePackets = [12, 600, 3000] as const;
/** About as many of the picture, where one track of sound lies beside it. */
const packetsOfBoth = 48;
const enoughFrames = 6;

/**
 * Picture and sound of a file with these two tracks in one run: it costs as much as another one to
 * start it.
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

/** The picture's frames among those of all tracks; null where one of the tracks needs a closer look. */
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

/** Those that give frames, in the same order. One after the other: a file may hold many. */
async function findAudible(prober: Prober, sounds: ProbedStream[]): Promise<ProbedStream[]> {
  const audible: ProbedStream[] = [];
  for (const stream of sounds) {
    const { frames } = await readFirstFrames(prober, stream.index, [6, 600, 6000]);
    if (frames.length > 0) audible.push(stream);
  }
  return audible;
}

/**
 * Decodes the beginning of a stream, and more of it while nothing is shown: a file may begin with
 * damaged frames, or with those before the point at which it was cut without encoding.
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
    // Hundreds of packets without a frame are hidden, or they are damaged and more of them no better.
    if (reading.frames.length > 0 || (count >= 600 && !isClean)) break;
  }
  if (reading === null) throw new Error("no packets were asked for");
  return { ...reading, isClean };
}

/**
 * How long a file says that it is. Where its times do not begin at 0, some programs declare the time of
 * its end and others the time between both: the one that fits is meant.
 */
function declaredLength(declaredS: number, startS: number, measuredS: number): number {
  const untilEndS = declaredS - startS;
  const isEnd = Math.abs(untilEndS - measuredS) < Math.abs(declaredS - measuredS);
  return isEnd ? untilEndS : declaredS;
}

/** The tracks that do not tell how long the video is, such as subtitles: they may last longer. */
const listOthers = ({ streams }: ProbedInfo, told: readonly ProbedStream[]): ProbedStream[] =>
  streams.filter((stream) => !told.includes(stream));

/** Where a track says that it ends; 0 where it says nothing. */
function declaredEndS({ start_time: startS, duration, tags }: ProbedStream): number {
  // MKV has no field for it; the programs that write it agree on a tag.
  const [, hours = 0, minutes = 0, seconds = 0] =
    /^(\d+):(\d\d):(\d\d(?:\.\d+)?)$/.exec(tags["DURATION"] ?? "") ?? [];
  const tagged = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return (startS ?? 0) + (duration ?? tagged);
}

/** A declared duration that means less than a kilobit per second is an error of the file. */
function isPlausible(declaredS: number, sizeBytes: number): boolean {
  return (sizeBytes * 8) / declaredS > 1000;
}

function explainNoFrame(stream: ProbedStream, reading: FrameReading, isCut: boolean): AppError {
  const cause = new Error(lastLines(reading.result.stderr, 4));
  const size = findTooManyPixels(reading.result.stderr);
  if (size !== null) return refuse.tooLarge(size.width, size.height);
  if ((stream.width ?? 0) * (stream.height ?? 0) > maxPixels) {
    return refuse.tooLarge(stream.width ?? 0, stream.height ?? 0);
  }
  if (isOverLimits(reading.result)) return refuse.tooDemanding(cause);
  return isCut ? refuse.cutShort(cause) : refuse.undecodable(cause);
}
