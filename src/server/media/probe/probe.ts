import { stat } from "node:fs/promises";
import type { AppError } from "../../lib/app-error.ts";
import { maxPixels } from "../plan/input-guards.ts";
import { isOverLimits, lastLines } from "../run/media-process-error.ts";
import type { MediaTools } from "../run/media-tools.ts";
import { chooseVideo, findAudio, hasEncryption, listAudioWarnings } from "./choose-streams.ts";
import type { ProbedStream } from "./ffprobe-output.ts";
import { readHead, readKind } from "./magic.ts";
import type { MediaFacts } from "./media-facts.ts";
import { createProber, type FrameReading } from "./prober.ts";
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

  const { info, endsS } = await prober.readInfo();
  const videoStream = chooseVideo(info);
  const audioStream = findAudio(info);
  const [quickReading, audioReading] = await Promise.all([
    prober.readFrames(videoStream.index, 12),
    audioStream === null ? null : prober.readFrames(audioStream.index, 6),
  ]);
  // A file may begin with damaged frames: read further before rejecting it.
  const reading =
    quickReading.frames.length > 0 ? quickReading : await prober.readFrames(videoStream.index, 600);
  const [first, ...more] = reading.frames;
  const isClean = quickReading.decoderErrors.length === 0 && quickReading.frames.length > 0;
  if (hasEncryption(info) && !isClean) throw refuse.encrypted();
  if (first === undefined) throw explainNoFrame(videoStream, reading);

  const startS = info.format.start_time ?? 0;
  // Where the seek returned no packet of a stream, its declared duration is used.
  const endOf = (stream: ProbedStream): number =>
    Math.max((endsS.get(stream.index) ?? startS + (stream.duration ?? 0)) - startS, 0);
  const audio =
    audioStream !== null && audioReading !== null && audioReading.frames.length > 0
      ? toAudioFacts(audioStream, endOf(audioStream))
      : null;
  const measuredS = Math.max(endOf(videoStream), audio?.endS ?? 0);
  const declaredS = info.format.duration ?? 0;
  const slackS = Math.max(durationSlackS, measuredS * durationSlackShare);
  const isDeclaredRight = declaredS > 0 && Math.abs(declaredS - measuredS) <= slackS;
  const durationS = isDeclaredRight ? declaredS : measuredS;
  if (durationS > deps.maxDurationS) throw refuse.tooLong(durationS, deps.maxDurationS);

  const video = toVideoFacts(videoStream, [first, ...more], {
    endS: endOf(videoStream),
    durationS,
    isCleanStart: isClean,
  });
  return {
    container: kind.container,
    sizeBytes,
    durationS: Math.max(durationS, video.fps.den / video.fps.num),
    isTruncated: declaredS > measuredS + slackS && isPlausible(declaredS, sizeBytes),
    startS,
    video,
    audio,
    warnings: listAudioWarnings(info, audioStream, audio !== null),
    alsoOpen: prober.listAlsoOpen(),
  };
}

/** A declared duration that means less than a kilobit per second is an error of the file. */
function isPlausible(declaredS: number, sizeBytes: number): boolean {
  return (sizeBytes * 8) / declaredS > 1000;
}

function explainNoFrame(stream: ProbedStream, reading: FrameReading): AppError {
  const cause = new Error(lastLines(reading.result.stderr, 4));
  const size = findTooManyPixels(reading.result.stderr);
  if (size !== null) return refuse.tooLarge(size.width, size.height);
  if ((stream.width ?? 0) * (stream.height ?? 0) > maxPixels) {
    return refuse.tooLarge(stream.width ?? 0, stream.height ?? 0);
  }
  if (isOverLimits(reading.result)) return refuse.tooDemanding(cause);
  return refuse.undecodable(cause);
}
