/** Accepted containers, named after the demuxer that is forced on them. */
export type Container = "mov" | "matroska" | "avi";

/** Accepted picture formats of thumbnails, named after their demuxer. */
export type PictureFormat = "jpeg_pipe" | "png_pipe" | "webp_pipe";

/** Codecs of cameras, editors and archives whose decoders have the same name. */
const archiveVideo = [
  ...["mpeg1video", "mpeg2video", "dvvideo", "msmpeg4v2", "wmv1", "wmv2", "wmv3", "vc1"],
  ...["huffyuv", "ffvhuff", "utvideo", "ffv1", "dnxhd", "qtrle", "png", "rawvideo", "theora"],
  ...["cinepak", "svq3"],
];
const archiveAudio = [
  ...["wmav1", "wmav2", "gsm", "gsm_ms"],
  ...["adpcm_ms", "adpcm_ima_wav", "adpcm_ima_qt", "adpcm_yamaha", "adpcm_swf"],
];
/** PCM of every width. */
const pcm = [
  ...["pcm_u8", "pcm_s8", "pcm_mulaw", "pcm_alaw"],
  ...["s16", "u16", "s24", "u24", "s32", "u32", "s64", "f32", "f64"].flatMap((sample) => [
    `pcm_${sample}le`,
    `pcm_${sample}be`,
  ]),
];

/** Decoders of AV1 that need no special hardware. */
export const av1Decoders = ["libdav1d", "libaom-av1"];
/** Decoders that aren't named after their codec. */
export const decodersByCodec: ReadonlyMap<string, readonly string[]> = new Map([
  ["av1", av1Decoders],
  ["msmpeg4v3", ["msmpeg4"]],
  ["amr_nb", ["amrnb"]],
  ["amr_wb", ["amrwb"]],
  ["gsm", ["libgsm"]],
  ["gsm_ms", ["libgsm_ms"]],
]);
/** The only decoders that may read uploaded files. */
const videoDecoders = [
  ...["h264", "hevc", "av1", ...av1Decoders, "vp8", "vp9", "mpeg4", "mjpeg", "prores", "h263"],
  ...["msmpeg4", ...archiveVideo],
];
const audioDecoders = [
  ...["aac", "mp3", "mp3float", "mp2", "mp2float", "opus", "vorbis", "ac3", "eac3", "flac"],
  ...["alac", "amrnb", "amrwb", "libgsm", "libgsm_ms", ...archiveAudio, ...pcm],
];
/** Decoders that ffprobe opens for streams but never sends packets to. */
const subtitleDecoders = [
  ...["subrip", "srt", "ass", "ssa", "mov_text", "webvtt", "text", "pgssub", "dvbsub", "dvdsub"],
];

/** Codecs of text subtitles, with the names that ffprobe and the decoders use. */
export const textCodecs: ReadonlySet<string> = new Set([
  ...["subrip", "srt", "ass", "ssa", "mov_text", "webvtt", "text"],
]);

/** Codec names as ffprobe uses them. They differ from the names of the decoders. */
export const supportedVideoCodecs: ReadonlySet<string> = new Set([
  ...["h264", "hevc", "av1", "vp8", "vp9", "mpeg4", "mjpeg", "prores", "h263", "msmpeg4v3"],
  ...archiveVideo,
]);
export const supportedAudioCodecs: ReadonlySet<string> = new Set([
  ...["aac", "mp3", "mp2", "opus", "vorbis", "ac3", "eac3", "flac", "alac", "amr_nb", "amr_wb"],
  ...[...archiveAudio, ...pcm],
]);

/** Returns the option that leaves the times of an upload's tracks as they are in its media. */
export const withoutEdits = (container: Container): string[] =>
  container === "mov" ? ["-ignore_editlist", "1"] : [];

/**
 * Returns input options for a run that only reads an upload's text tracks. Leaves the tracks' times
 * unchanged.
 */
export function guardTexts(container: Container, sourcePath: string): string[] {
  const decoders = [...textCodecs, ...videoDecoders, ...audioDecoders];
  return guardVideo(container, sourcePath, decoders, withoutEdits(container));
}

/** Maximum width times height to decode. 8K video has 33 million pixels. */
export const maxPixels = 36_000_000;

/**
 * Returns options before `-i` for every run over an uploaded video. They force the demuxer so that
 * ffmpeg detects no playlist or script. ffmpeg can only open local files and use listed decoders.
 */
export function guardInput(container: Container, sourcePath: string): string[] {
  return guardVideo(container, sourcePath, [...videoDecoders, ...audioDecoders]);
}

/**
 * Returns the same options for reading an upload's media from a position, with times that count
 * from there. Starts at the keyframe before it.
 */
export function guardMedia(
  container: Container,
  sourcePath: string,
  { fromS, followsEdits }: { fromS: number; followsEdits: boolean },
): string[] {
  return [
    ...[
      ...(followsEdits ? [] : withoutEdits(container)),
      "-noaccurate_seek",
      "-seek_timestamp",
      "1",
    ],
    ...["-ss", fromS.toFixed(6), ...guardInput(container, sourcePath)],
  ];
}

/**
 * Returns the same options for ffprobe, which opens a decoder for every stream and fails if one
 * isn't allowed. `alsoOpen` lists additional decoders for ignored streams. They are opened to list
 * the streams but receive no packets: stream analysis, which decodes, uses the strict list, and
 * frames are only read from streams with supported codecs.
 */
export function guardProbe(
  container: Container,
  sourcePath: string,
  alsoOpen: readonly string[] = [],
): string[] {
  const decoders = [...videoDecoders, ...audioDecoders, ...alsoOpen].join(",");
  return guardVideo(
    container,
    sourcePath,
    [...videoDecoders, ...audioDecoders],
    [
      // A stream specifier limits the option to decoders.
      ...["-codec_whitelist:v", decoders, "-codec_whitelist:a", decoders],
      ...["-codec_whitelist:s", [...subtitleDecoders, ...alsoOpen].join(",")],
    ],
  );
}

/** Returns input options for pictures uploaded as thumbnails. */
export function guardPicture(format: PictureFormat, sourcePath: string): string[] {
  const decoder = { jpeg_pipe: "mjpeg", png_pipe: "png", webp_pipe: "webp,vp8" }[format];
  return [...guardOptions(format, [decoder]), ...["-f", format, "-i", `file:${sourcePath}`]];
}

/**
 * Returns input options for files that this server made. They also force the demuxer and only open
 * local files.
 */
export function ownInput(sourcePath: string): string[] {
  return ["-protocol_whitelist", "file", "-f", "mov", "-i", `file:${sourcePath}`];
}

function guardVideo(
  container: Container,
  sourcePath: string,
  decoders: string[],
  options: string[] = [],
): string[] {
  return [
    ...guardOptions(container === "matroska" ? "matroska,webm" : container, decoders),
    ...options,
    ...["-probesize", "20M", "-analyzeduration", "20M", "-max_streams", "256"],
    ...["-f", container, "-i", `file:${sourcePath}`],
  ];
}

function guardOptions(formats: string, decoders: string[]): string[] {
  return [
    ...["-protocol_whitelist", "file", "-format_whitelist", formats],
    ...["-codec_whitelist", decoders.join(","), "-max_pixels", String(maxPixels)],
  ];
}
