import type { MediaFacts, Ratio } from "../facts/media-facts.ts";
import {
  encodeAv1,
  encodeSound,
  encodeVideo,
  planDecoderThreads,
  limitDuration,
  planAudioFilter,
  planHoldS,
  segmentS,
  separateGraphs,
  soundOptions,
  stripOptions,
} from "./encode-options.ts";
import { jumpFilter } from "../facts/jumps.ts";
import { openSource, rateAfter } from "./open-source.ts";
import type { Rung } from "./rungs.ts";
import type { SoundPlan } from "./sounds.ts";
import { inputOptions, planVideoFilter, type FilterAbilities } from "./video-filter.ts";

/** Names in the folder of HLS files. */
export const masterName = "master.m3u8";
/** Master playlist that also lists the renditions above 1080 lines, which are made later. */
export const largeMasterName = "large.m3u8";
/** Master playlist that also lists AV1 renditions, which are made last. */
export const efficientMasterName = "efficient.m3u8";
/** Folder of AV1 renditions beside the playlist. Only players that decode AV1 use it. */
export const efficientFolder = "av1/";
/** Subfolder of renditions that preserve the source's high dynamic range. */
export const hdrFolder = `${efficientFolder}hdr/`;
export const rungName = (rung: { shortSide: number }): string => `v${rung.shortSide}`;

/**
 * Returns the arguments for encoding the given rungs in one pass: one decoder, one conversion, one
 * scaler and one encoder per rung, and the audio as a separate group unless another pass makes it.
 * Every rendition is one fragmented MP4 that its playlist divides into byte ranges. Must run in the
 * empty output folder.
 */
export function ladderArgs(
  facts: MediaFacts,
  sourcePath: string,
  plan: {
    rungs: (Rung & { crf: number })[];
    sounds: readonly (Pick<SoundPlan, "file" | "track" | "channels"> & { gainDb: number })[];
    fps: Ratio;
    threads: number;
    abilities: FilterAbilities;
    /** True for AV1; H.264 by default. */
    isAv1?: boolean;
    /** True to preserve the source's high dynamic range. */
    isHdr?: boolean;
  },
): string[] {
  const { rungs, fps, sounds } = plan;
  const encode = plan.isAv1 === true ? encodeAv1 : encodeVideo;
  const top = rungs[0];
  if (top === undefined) throw new Error("a ladder needs a rung");

  const filter = planVideoFilter(
    facts.video,
    {
      width: top.width,
      height: top.height,
      fps: rateAfter(facts, fps),
      holdLastS: planHoldS(facts),
      isHdr: plan.isHdr ?? false,
    },
    plan.abilities,
  );
  const source = openSource(facts, sourcePath, {
    options: [
      ...planDecoderThreads(facts.video, plan.threads),
      ...inputOptions(facts.video, plan.abilities),
      ...soundOptions(facts, plan.abilities),
    ],
  });
  const base = source.picture(fps) + [...jumpFilter("setpts", facts.jumps), filter].join(",");
  const pictures =
    rungs.length === 1
      ? [`${base}[v0]`]
      : [
          `${base},split=${rungs.length}` +
            rungs.map((_, i) => (i === 0 ? "[v0]" : `[s${i}]`)).join(""),
          ...rungs
            .slice(1)
            .map((rung, i) => `[s${i + 1}]scale=${rung.width}:${rung.height},setsar=1[v${i + 1}]`),
        ];
  const graphs = [pictures.join(";")];
  for (const [i, { track, channels, gainDb }] of sounds.entries()) {
    const layout = channels === 6 ? ",aformat=channel_layouts=5.1" : "";
    graphs.push(`${source.sound(track)}${planAudioFilter(facts, track, gainDb)}${layout}[a${i}]`);
  }

  const group = sounds.length > 0 ? ",agroup:sound" : "";
  const streams = [
    ...rungs.map((rung, i) => `v:${i}${group},name:${rungName(rung)}`),
    ...sounds.map(({ file }, i) => `a:${i},agroup:sound,name:${file}`),
  ];
  return [
    ...source.inputs,
    ...separateGraphs(graphs),
    ...rungs.flatMap((_, i) => ["-map", `[v${i}]`]),
    ...sounds.flatMap(({ channels }, i) => ["-map", `[a${i}]`, ...encodeSound(channels, i)]),
    ...stripOptions,
    ...rungs.flatMap((rung, i) => encode(rung, fps, i, plan.threads)),
    ...limitDuration(facts),
    ...["-fflags", "+bitexact", "-f", "hls", "-hls_time", String(segmentS)],
    ...["-hls_playlist_type", "vod", "-hls_segment_type", "fmp4"],
    ...["-hls_flags", "single_file+independent_segments"],
    // Times start at 0 in every rendition, without edit lists, which players ignore.
    ...["-hls_segment_options", "use_editlist=0:movflags=+negative_cts_offsets"],
    ...["-var_stream_map", streams.join(" ")],
    ...["-hls_segment_filename", "%v.mp4", "%v.m3u8"],
  ];
}
