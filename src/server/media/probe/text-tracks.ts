import { textCodecs } from "../facts/input-guards.ts";
import type { ProbedInfo, ProbedStream } from "./ffprobe-output.ts";
import type { TextTrackFacts } from "../facts/media-facts.ts";

const maxTracks = 16;

/** Lists a file's text subtitles. @param timelineOf returns what plays of a stream. */
export function listTextTracks(
  info: ProbedInfo,
  timelineOf: (stream: ProbedStream) => TextTrackFacts["timeline"],
): TextTrackFacts[] {
  return info.streams
    .filter(
      ({ codec_type: type, codec_name: codec }) =>
        type === "subtitle" && textCodecs.has(codec ?? ""),
    )
    .slice(0, maxTracks)
    .map((stream) => ({ stream, timeline: timelineOf(stream) }))
    .map(({ stream: { index, codec_name: codec = "text", tags, disposition }, timeline }) => ({
      index,
      codec,
      language: tags["language"] ?? null,
      title: tags["title"] ?? handlerName(tags["handler_name"]),
      isDefault: disposition["default"] === 1,
      isForced: disposition["forced"] === 1,
      timeline,
    }));
}

/** Ignores names that programs write for tracks without a title. */
const handlerName = (name: string | undefined): string | null =>
  name === undefined || /handler|core media|subtitle/i.test(name) ? null : name;
