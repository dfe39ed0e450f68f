import { textCodecs } from "../facts/input-guards.ts";
import type { ProbedInfo } from "./ffprobe-output.ts";
import type { TextTrackFacts } from "../facts/media-facts.ts";

const maxTracks = 16;

/** Lists a file's text subtitles. @param editShiftsS per stream, as in `OuterStructure`. */
export function listTextTracks(info: ProbedInfo, editShiftsS: readonly number[]): TextTrackFacts[] {
  return info.streams
    .filter(
      ({ codec_type: type, codec_name: codec }) =>
        type === "subtitle" && textCodecs.has(codec ?? ""),
    )
    .slice(0, maxTracks)
    .map(({ index, codec_name: codec = "text", tags, disposition }) => ({
      index,
      codec,
      language: tags["language"] ?? null,
      title: tags["title"] ?? handlerName(tags["handler_name"]),
      isDefault: disposition["default"] === 1,
      isForced: disposition["forced"] === 1,
      shiftS: editShiftsS[index] ?? 0,
    }));
}

/** Ignores names that programs write for tracks without a title. */
const handlerName = (name: string | undefined): string | null =>
  name === undefined || /handler|core media|subtitle/i.test(name) ? null : name;
