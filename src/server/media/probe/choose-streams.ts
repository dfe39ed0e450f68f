import { supportedAudioCodecs, supportedVideoCodecs } from "../facts/input-guards.ts";
import type { ProbedInfo, ProbedStream } from "./ffprobe-output.ts";
import { refuse } from "./refusals.ts";

/**
 * Returns the default video track if it can be decoded, otherwise the first one that can. Cover
 * pictures don't count.
 * @param endsEarly true if the file ends early. Missing parts then prove nothing about the whole
 * file.
 * @throws AppError unusable_video if there is none.
 */
export function chooseVideo(info: ProbedInfo, endsEarly: boolean): ProbedStream {
  const tracks = info.streams.filter(
    (each) => each.codec_type === "video" && each.disposition["attached_pic"] !== 1,
  );
  const [first] = tracks;
  if (first === undefined) {
    if (endsEarly) throw refuse.cutShort(undefined);
    throw refuse.noVideo(info.streams.some((each) => each.codec_type === "audio"));
  }
  const usable = tracks.filter(
    (each) => each.codec_tag_string !== "encv" && supportedVideoCodecs.has(each.codec_name ?? ""),
  );
  const chosen = usable.find((each) => each.disposition["default"] === 1) ?? usable[0];
  if (chosen !== undefined) return chosen;
  if (first.codec_tag_string === "encv") throw refuse.encrypted();
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

/** Returns whether a stream has decryption data. */
export function hasEncryption(info: ProbedInfo): boolean {
  return info.streams.some((stream) =>
    stream.side_data_list.some((data) => /encryption/i.test(data.side_data_type ?? "")),
  );
}
