/** Containers that are accepted, by the name of the demuxer that is forced on them. */
export type Container = "mov" | "matroska" | "avi";

/** Picture formats that are accepted as thumbnails, likewise. */
export type PictureFormat = "jpeg_pipe" | "png_pipe" | "webp_pipe";

/** The only decoders that may read uploaded files. */
const videoDecoders = [
  ...["h264", "hevc", "av1", "libdav1d", "vp8", "vp9", "mpeg4", "mjpeg", "prores", "h263"],
];
const audioDecoders = [
  ...["aac", "mp3", "mp3float", "mp2", "mp2float", "opus", "vorbis", "ac3", "eac3", "flac"],
  ...["alac", "amrnb", "amrwb", "pcm_u8", "pcm_s16le", "pcm_s16be", "pcm_s24le", "pcm_s24be"],
  ...["pcm_s32le", "pcm_s32be", "pcm_f32le", "pcm_f32be", "pcm_mulaw", "pcm_alaw"],
];
/** ffprobe opens every stream, but sends these no packet. */
const subtitleDecoders = [
  ...["subrip", "srt", "ass", "ssa", "mov_text", "webvtt", "text", "pgssub", "dvbsub", "dvdsub"],
];

/** Names as ffprobe calls codecs, which differ from those of the decoders. */
export const supportedVideoCodecs: ReadonlySet<string> = new Set([
  ...["h264", "hevc", "av1", "vp8", "vp9", "mpeg4", "mjpeg", "prores", "h263"],
]);
export const supportedAudioCodecs: ReadonlySet<string> = new Set([
  ...["aac", "mp3", "mp2", "opus", "vorbis", "ac3", "eac3", "flac", "alac", "amr_nb", "amr_wb"],
  ...audioDecoders.filter((name) => name.startsWith("pcm_")),
]);

/** Width times height of what may be decoded; 8K video has 33 million. */
export const maxPixels = 36_000_000;

/**
 * Options before `-i` for every run over an uploaded video. The demuxer is forced, so that ffmpeg
 * recognises no playlist or script; only local files can be opened; only listed decoders run.
 */
export function guardInput(container: Container, sourcePath: string): string[] {
  return [
    ...guardOptions(
      container === "matroska" ? "matroska,webm" : container,
      [...videoDecoders, ...audioDecoders],
      maxPixels,
    ),
    ...["-probesize", "20M", "-analyzeduration", "20M", "-max_streams", "32"],
    ...["-f", container, "-i", `file:${sourcePath}`],
  ];
}

/**
 * The same for ffprobe, which opens a decoder for every stream and ends when one is not allowed.
 * `alsoOpen` names further decoders for streams that are ignored. They are opened to list the
 * streams but receive no packet: stream analysis, which decodes, keeps to the strict list, and
 * frames are only read from streams of supported codecs.
 */
export function guardProbe(
  container: Container,
  sourcePath: string,
  alsoOpen: readonly string[] = [],
): string[] {
  const decoders = [...videoDecoders, ...audioDecoders, ...alsoOpen].join(",");
  return [
    ...guardOptions(
      container === "matroska" ? "matroska,webm" : container,
      [...videoDecoders, ...audioDecoders],
      maxPixels,
    ),
    // With a stream specifier the option reaches the decoders alone.
    ...["-codec_whitelist:v", decoders, "-codec_whitelist:a", decoders],
    ...["-codec_whitelist:s", [...subtitleDecoders, ...alsoOpen].join(",")],
    ...["-probesize", "20M", "-analyzeduration", "20M", "-max_streams", "32"],
    ...["-f", container, "-i", `file:${sourcePath}`],
  ];
}

/** For pictures uploaded as thumbnails. */
export function guardPicture(format: PictureFormat, sourcePath: string): string[] {
  const decoder = { jpeg_pipe: "mjpeg", png_pipe: "png", webp_pipe: "webp,vp8" }[format];
  return [
    ...guardOptions(format, [decoder], maxPixels),
    ...["-f", format, "-i", `file:${sourcePath}`],
  ];
}

/** For files that this server generated: also only local files and a forced demuxer. */
export function ownInput(sourcePath: string): string[] {
  return ["-protocol_whitelist", "file", "-f", "mov", "-i", `file:${sourcePath}`];
}

function guardOptions(formats: string, decoders: string[], pixels: number): string[] {
  return [
    ...["-protocol_whitelist", "file", "-format_whitelist", formats],
    ...["-codec_whitelist", decoders.join(","), "-max_pixels", String(pixels)],
  ];
}
