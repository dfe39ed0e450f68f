import type { Frame } from "./filter-graphs.ts";
import type { PieceName } from "./music.ts";

/** One clip of the demonstration catalogue, and how ffmpeg generates it. */
export interface ClipSpec {
  slug: string;
  title: string;
  description: string;
  categories: readonly string[];
  tags: readonly string[];
  /** Invented artists. */
  actors: readonly string[];
  isPremium?: boolean;
  /** True for a video in the trash. */
  isRemoved?: boolean;
  /** Days since publication. */
  ageDays: number;
  /** Views until now. */
  views: number;
  /** Likes per view. */
  likeRate: number;
  frame: Frame;
  /** Seconds, 4 to 180. */
  durationS: number;
  /** If shorter than `durationS`, only this much is generated and then repeated seamlessly. */
  loopS?: number;
  /** A filter graph that ends in `[v]`. It may read the music from `[0:a]`. */
  graph: string;
  /** Null for a silent clip. */
  sound: PieceName | null;
}

/** One run of ffmpeg: the arguments after `ffmpeg -y`, and the file that it writes. */
interface Step {
  args: string[];
  output: string;
}

// Scaling up from uneven sizes leaves non-square pixels, which would prevent a stream copy.
const toDelivery =
  "scale=out_color_matrix=bt709:out_range=tv,setsar=1,format=yuv420p," +
  "setparams=range=tv:colorspace=bt709:color_primaries=bt709:color_trc=bt709";

/** Returns ffmpeg's options for H.264. */
export const encodeVideo = ({ fps }: Frame): string[] => [
  ...["-c:v", "libx264", "-preset", "ultrafast", "-crf", "20", "-threads", "1"],
  ...["-maxrate", "6M", "-bufsize", "9M"],
  // The preset disables two features that smooth gradients need. They add a tenth to the encoding
  // time.
  ...["-x264-params", "no-deblock=0:deblock=1,1:cabac=1:scenecut=0"],
  ...["-g", String(fps * 2), "-bf", "0", "-r", String(fps)],
];

/**
 * Returns the ffmpeg runs that generate a clip in `folder` with the music of `soundFile`. The
 * output is H.264 4:2:0 with a closed group of pictures every 2 s, and AAC. It is published by a
 * stream copy.
 */
export function planClip(clip: ClipSpec, folder: string, soundFile: string | null): Step[] {
  const output = `${folder}/${clip.slug}.mp4`;
  const generatedS = clip.loopS ?? clip.durationS;
  // The input needs the limit, too. Otherwise a filter that waits for its end would never finish.
  const sound =
    soundFile === null
      ? []
      : ["-stream_loop", "-1", "-t", String(clip.durationS), "-i", `file:${soundFile}`];
  const audio =
    soundFile === null
      ? ["-an"]
      : [
          "-c:a",
          "aac",
          "-b:a",
          "128k",
          "-aac_coder",
          "fast",
          "-af",
          `afade=t=in:d=0.4,afade=t=out:st=${clip.durationS - 1.2}:d=1.2`,
        ];
  const graph = [
    ...(clip.graph.includes("[0:a]") || clip.loopS === undefined ? sound : []),
    "-filter_complex",
    `${clip.graph};[v]${toDelivery}[image]`,
    "-map",
    "[image]",
  ];
  const video = encodeVideo(clip.frame);
  if (clip.loopS === undefined) {
    return [
      {
        args: [
          ...threads,
          ...graph,
          ...(soundFile === null ? [] : ["-map", "0:a"]),
          ...video,
          ...audio,
          ...["-t", String(generatedS), ...delivery, `file:${output}`],
        ],
        output,
      },
    ];
  }
  const segment = `${folder}/${clip.slug}.segment.mp4`;
  return [
    {
      args: [...threads, ...graph, ...video, "-an", "-t", String(generatedS), `file:${segment}`],
      output: segment,
    },
    {
      args: [
        ...["-stream_loop", "-1", "-i", `file:${segment}`, ...sound],
        ...["-map", "0:v", ...(soundFile === null ? [] : ["-map", "1:a"]), "-c:v", "copy"],
        ...audio,
        ...["-t", String(clip.durationS), ...delivery, `file:${output}`],
      ],
      output,
    },
  ];
}

const threads = ["-filter_complex_threads", "1", "-filter_threads", "1"];
const delivery = ["-movflags", "+faststart", "-map_metadata", "-1"];
