import type { Rung } from "#server/media/plan/rungs.ts";

/**
 * Returns the shortest ffmpeg command for the renditions of a ladder with one quality. It must run
 * in their folder.
 */
export function plainLadder(clip: string, rungs: Rung[], crf: number): string[] {
  const outs = rungs.map((_, i) => `[s${i}]`).join("");
  const scales = rungs.map((rung, i) => `[s${i}]scale=${rung.width}:${rung.height}[v${i}]`);
  const streams = rungs.map((rung, i) => `v:${i},agroup:a,name:v${rung.shortSide}`);
  return [
    ...["-v", "error", "-nostdin", "-y", "-i", clip],
    ...["-filter_complex", `[0:v]split=${rungs.length}${outs};${scales.join(";")}`],
    ...rungs.flatMap((_, i) => ["-map", `[v${i}]`]),
    ...["-map", "0:a", "-c:a", "aac", "-b:a", "128k", "-ac", "2", "-ar", "48000"],
    ...["-c:v", "libx264", "-preset", "veryfast", "-profile:v", "high", "-crf", String(crf)],
    ...rungs.flatMap((rung, i) => [
      ...[`-maxrate:v:${i}`, `${rung.maxrateKbps}k`],
      ...[`-bufsize:v:${i}`, `${rung.maxrateKbps * 2}k`],
    ]),
    ...["-g", "50", "-sc_threshold", "0", "-force_key_frames", "expr:gte(t,n_forced*2)"],
    ...["-f", "hls", "-hls_time", "2", "-hls_playlist_type", "vod"],
    ...["-hls_segment_type", "fmp4", "-hls_flags", "single_file+independent_segments"],
    ...["-var_stream_map", [...streams, "a:0,agroup:a,name:audio"].join(" ")],
    ...["-hls_segment_filename", "%v.mp4", "%v.m3u8"],
  ];
}
