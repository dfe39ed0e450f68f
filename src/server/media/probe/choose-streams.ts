import { isDeepStrictEqual } from "node:util";
import { secondsOf } from "#server/lib/time-codes.ts";
import { supportedAudioCodecs, supportedVideoCodecs } from "../facts/input-guards.ts";
import type { Timeline } from "../facts/timeline.ts";
import { parseRatio, type ProbedInfo, type ProbedStream } from "./ffprobe-output.ts";
import { refuse } from "./refusals.ts";

/** Maximum length of a track that counts as a still beside one at least ten times as long. */
const maxStillS = 1;
const moreTimes = 10;
const stillCodecs = new Set(["mjpeg", "png"]);

/**
 * Returns the video tracks that show moving pictures. Leaves out cover pictures, single frames
 * beside a longer track, and tracks of thumbnails. If nothing moves, returns all but the covers.
 */
export function listMoving({ streams }: ProbedInfo): ProbedStream[] {
  const isCover = ({ disposition }: ProbedStream) =>
    ["attached_pic", "still_image", "timed_thumbnails"].some((name) => disposition[name] === 1);
  const tracks = streams.filter((each) => each.codec_type === "video" && !isCover(each));
  const most = Math.max(...tracks.map((each) => countFrames(each) ?? 0));
  const longestS = Math.max(...tracks.map(declaredEndS));
  const isStill = (stream: ProbedStream): boolean => {
    const frames = countFrames(stream) ?? Infinity;
    if (frames <= 1 && most > 1) return true;
    const endS = declaredEndS(stream);
    if (endS > 0 && endS <= maxStillS && longestS > endS * moreTimes) return true;
    return stillCodecs.has(stream.codec_name ?? "") && most > frames * moreTimes;
  };
  return tracks.filter((each) => !isStill(each));
}

/** Returns a track's declared number of frames, or an estimate; null if it can't be known. */
function countFrames(stream: ProbedStream): number | null {
  const declared = Number(stream.nb_frames ?? stream.tags["NUMBER_OF_FRAMES"]);
  if (declared > 0) return declared;
  const rate = parseRatio(stream.avg_frame_rate);
  const endS = declaredEndS(stream);
  return rate === null || endS === 0 ? null : (endS * rate.num) / rate.den;
}

/** Returns a track's declared length, or 0 if there is none. */
export function declaredLengthS({ duration, tags }: ProbedStream): number {
  // MKV has no field for it, but programs agree on a tag.
  const [, hours, minutes, seconds] =
    /^(\d+):(\d\d):(\d\d(?:\.\d+)?)$/.exec(tags["DURATION"] ?? "") ?? [];
  return duration ?? secondsOf(hours, minutes, seconds);
}

/** Returns a track's declared end, or its start if there is none. */
export const declaredEndS = (stream: ProbedStream): number =>
  (stream.start_time ?? 0) + declaredLengthS(stream);

/**
 * Returns the default video track if it can be decoded, otherwise the first one that can. Stills
 * don't count (`listMoving`).
 * @param endsEarly true if the file ends early. Missing parts then prove nothing about the whole
 * file.
 * @throws AppError unusable_video if there is none.
 */
export function chooseVideo(info: ProbedInfo, endsEarly: boolean): ProbedStream {
  const tracks = listMoving(info);
  const [first] = tracks;
  if (first === undefined) {
    if (endsEarly) throw refuse.cutShort(undefined);
    throw refuse.noVideo(info.streams.some((each) => each.codec_type === "audio"));
  }
  const usable = tracks.filter((each) => supportedVideoCodecs.has(each.codec_name ?? ""));
  const chosen = usable.find((each) => each.disposition["default"] === 1) ?? usable[0];
  if (chosen !== undefined) return chosen;
  if (endsEarly && first.codec_name === undefined) throw refuse.cutShort(undefined);
  throw refuse.codec(nameCodec(first));
}

/**
 * Returns ffprobe's codec name, otherwise the file's four-letter code. Returns null if that isn't
 * text.
 */
function nameCodec({ codec_name: name, codec_tag_string: tag = "" }: ProbedStream): string | null {
  if (name !== undefined && name !== "unknown" && name !== "none") return name;
  return /^[A-Za-z0-9]{4}$/.test(tag) ? tag : null;
}

/** Maximum number of audio tracks. Further ones are dropped. */
export const maxSounds = 8;

/** Returns audio tracks with a known codec, default first. */
export function listSounds(info: ProbedInfo): ProbedStream[] {
  const isDefault = (stream: ProbedStream) => Number(stream.disposition["default"] === 1);
  return info.streams
    .filter(
      (stream) =>
        stream.codec_type === "audio" &&
        supportedAudioCodecs.has(stream.codec_name ?? "") &&
        (stream.channels ?? 0) > 0,
    )
    .toSorted((a, b) => isDefault(b) - isDefault(a))
    .slice(0, maxSounds);
}

/**
 * Returns the tracks of the left and right channel if stereo is in two tracks, as cameras and editors
 * write it; null for any other sound.
 */
export function findHalves(
  sounds: readonly ProbedStream[],
  timelineOf: (stream: ProbedStream) => Timeline | null,
  endOf: (stream: ProbedStream) => number,
): { left: ProbedStream; right: ProbedStream } | null {
  const find = (speaker: string): ProbedStream[] =>
    sounds.filter(({ channel_layout: layout }) => layout === `1 channels (${speaker})`);
  const [left, ...otherLeft] = find("FL");
  const [right, ...otherRight] = find("FR");
  if (left === undefined || right === undefined) return null;
  const read = (stream: ProbedStream) => [
    ...[stream.codec_name, stream.sample_rate, stream.start_time, timelineOf(stream)],
    ...[stream.tags["language"], stream.tags["title"]],
  ];
  const isPair =
    isDeepStrictEqual(read(left), read(right)) && Math.abs(endOf(left) - endOf(right)) < 0.1;
  return isPair && [...otherLeft, ...otherRight].length === 0 ? { left, right } : null;
}

/** Returns whether a stream has decryption data. */
export function hasEncryption(info: ProbedInfo): boolean {
  return info.streams.some((stream) =>
    stream.side_data_list.some((data) => /encryption/i.test(data.side_data_type ?? "")),
  );
}
