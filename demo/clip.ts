import type { Frame } from "./looks.ts";
import type { PieceName } from "./music.ts";

/** What the catalogue knows about one demonstration clip, and how ffmpeg draws it. */
export interface ClipSpec {
  slug: string;
  title: string;
  description: string;
  categories: readonly string[];
  tags: readonly string[];
  /** Invented artists. */
  actors: readonly string[];
  isPremium?: boolean;
  /** How long ago it was published. */
  ageDays: number;
  /** Views gathered until now. */
  views: number;
  /** Likes per view. */
  likeRate: number;
  frame: Frame;
  /** Seconds, 4 to 180. */
  durationS: number;
  /** Where shorter than `durationS`: only this much is drawn, and then repeated without a seam. */
  loopS?: number;
  /** A filter graph that ends in `[v]`; it may read the music from `[0:a]`. */
  graph: string;
  /** null: silent. */
  sound: PieceName | null;
}

/** One run of ffmpeg: everything after `ffmpeg -y`; the last word is the file it makes. */
export interface Step {
  args: string[];
  output: string;
}

// Enlarging from uneven sizes leaves pixels that are not square, which would forbid the plain copy.
const toDelivery =
  "scale=out_color_matrix=bt709:out_range=tv,setsar=1,format=yuv420p," +
  "setparams=range=tv:colorspace=bt709:color_primaries=bt709:color_trc=bt709";

/**
 * The runs that make a clip in `folder`, given the finished music file of its piece. H.264 4:2:0 with
 * a closed group of pictures every 2 s and AAC: the form that is published by a plain copy.
 */
export function planClip(clip: ClipSpec, folder: string, soundFile: string | null): Step[] {
  const output = `${folder}/${clip.slug}.mp4`;
  const drawnS = clip.loopS ?? clip.durationS;
  // The limit stands before the input too: a filter that waits for its end would wait for ever.
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
  const draw = [
    ...(clip.graph.includes("[0:a]") || clip.loopS === undefined ? sound : []),
    "-filter_complex",
    `${clip.graph};[v]${toDelivery}[picture]`,
    "-map",
    "[picture]",
  ];
  const video = [
    ...["-c:v", "libx264", "-preset", "ultrafast", "-crf", "20", "-threads", "1"],
    ...["-maxrate", "6M", "-bufsize", "9M"],
    // The preset drops what smooth pictures need most; both cost a tenth of the time.
    ...["-x264-params", "no-deblock=0:deblock=1,1:cabac=1:scenecut=0"],
    ...["-g", String(clip.frame.fps * 2), "-bf", "0", "-r", String(clip.frame.fps)],
  ];
  if (clip.loopS === undefined) {
    return [
      {
        args: [
          ...threads,
          ...draw,
          ...(soundFile === null ? [] : ["-map", "0:a"]),
          ...video,
          ...audio,
          ...["-t", String(drawnS), ...delivery, `file:${output}`],
        ],
        output,
      },
    ];
  }
  const segment = `${folder}/${clip.slug}.segment.mp4`;
  return [
    {
      args: [...threads, ...draw, ...video, "-an", "-t", String(drawnS), `file:${segment}`],
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
