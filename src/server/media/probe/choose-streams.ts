import { supportedAudioCodecs, supportedVideoCodecs } from "../facts/input-guards.ts";
import type { ProbedInfo, ProbedStream } from "./ffprobe-output.ts";
import { refuse } from "./refusals.ts";

/**
 * The default video track among those that can be decoded, else the first of them; cover pictures are
 * none. Throws AppError `unusable_video` without one.
 * @param isCut whether the file ends early: what is missing then says nothing about the whole file.
 */
export function chooseVideo(info: ProbedInfo, isCut: boolean): ProbedStream {
  const tracks = info.streams.filter(
    (each) => each.codec_type === "video" && each.disposition["attached_pic"] !== 1,
  );
  const [first] = tracks;
  if (first === undefined) {
    if (isCut) throw refuse.cutShort(undefined);
    throw refuse.noVideo(info.streams.some((each) => each.codec_type === "audio"));
  }
  const usable = tracks.filter(
    (each) => each.codec_tag_string !== "encv" && supportedVideoCodecs.has(each.codec_name ?? ""),
  );
  const chosen = usable.find((each) => each.disposition["default"] === 1) ?? usable[0];
  if (chosen !== undefined) return chosen;
  if (first.codec_tag_string === "encv") throw refuse.encrypted();
  if (isCut && first.codec_name === undefined) throw refuse.cutShort(undefined);
  throw refuse.codec(nameCodec(first));
}

/** ffprobe's name of a codec, else the four letters of the file; null for bytes that are no letters. */
function nameCodec({ codec_name: name, codec_tag_string: tag = "" }: ProbedStream): string | null {
  if (name !== undefined && name !== "unknown" && name !== "none") return name;
  return /^[A-Za-z0-9]{4}$/.test(tag) ? tag : null;
}

/** More tracks of sound are left out. */
export const maxSounds = 8;

/** The tracks of sound whose codec is known, the default one first. */
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

/** Whether a stream has data for decryption. */
export function hasEncryption(info: ProbedInfo): boolean {
  return info.streams.some((stream) =>
    stream.side_data_list.some((data) => /encryption/i.test(data.side_data_type ?? "")),
  );
}
