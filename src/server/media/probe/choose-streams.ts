import { supportedAudioCodecs, supportedVideoCodecs } from "../plan/input-guards.ts";
import type { ProbedInfo, ProbedStream } from "./ffprobe-output.ts";
import { refuse } from "./refusals.ts";

/** The first video track that is not a cover picture; throws AppError `unusable_video` without one. */
export function chooseVideo(info: ProbedInfo): ProbedStream {
  const stream = info.streams.find(
    (each) => each.codec_type === "video" && each.disposition["attached_pic"] !== 1,
  );
  if (stream === undefined) {
    throw refuse.noVideo(info.streams.some((each) => each.codec_type === "audio"));
  }
  if (stream.codec_tag_string === "encv") throw refuse.encrypted();
  if (!supportedVideoCodecs.has(stream.codec_name ?? "")) {
    throw refuse.codec(stream.codec_name ?? stream.codec_tag_string ?? "an unknown codec");
  }
  return stream;
}

/** The default track among those that can be decoded, else the first of them. */
export function findAudio(info: ProbedInfo): ProbedStream | null {
  const usable = info.streams.filter(
    (stream) =>
      stream.codec_type === "audio" &&
      supportedAudioCodecs.has(stream.codec_name ?? "") &&
      (stream.channels ?? 0) > 0,
  );
  return usable.find((stream) => stream.disposition["default"] === 1) ?? usable[0] ?? null;
}

/** Whether a stream has data for decryption. */
export function hasEncryption(info: ProbedInfo): boolean {
  return info.streams.some((stream) =>
    stream.side_data_list.some((data) => /encryption/i.test(data.side_data_type ?? "")),
  );
}

/** Messages for the admin about the audio. */
export function listAudioWarnings(
  info: ProbedInfo,
  chosen: ProbedStream | null,
  isDecodable: boolean,
): string[] {
  const tracks = info.streams.filter((stream) => stream.codec_type === "audio");
  if (tracks.length === 0) return [];
  if (!isDecodable) {
    const codec = chosen?.codec_name ?? tracks[0]?.codec_name ?? "unknown format";
    return [`The sound (${codec}) cannot be decoded; the video is shown without it.`];
  }
  return tracks.length > 1 ? ["Only the default sound track is kept."] : [];
}
