import { encodeClip, hasEncoder, keepBytes } from "./clip-cache.ts";
import { drawFields } from "./color-clips.ts";
import { quarterTurn, setEdits, setMatrix, type PlayedPart } from "./mp4-edits.ts";
import { createRandom } from "./reference/random.ts";

// A grid of small files: containers, codecs, frame rates, edit lists, display matrices, colors, sounds
// and subtitles. The files of a grid contain each possible pair of values.

const one = 0x10000;
const matrixOf = (a: number, b: number, c: number, d: number): number[] => [
  ...[a * one, b * one, 0, c * one, d * one, 0, 0, 0, 0x40000000],
];

const clipS = 2;
const play = (fromS: number | null, lengthS: number): PlayedPart => ({ fromS, lengthS });

/** Values of each property, by name. */
const grid = {
  container: ["mp4", "fragmented", "mov", "mkv", "webm", "avi"],
  codec: [
    ...([
      "h264",
      "hevc",
      "vp9",
      "vp8",
      "av1",
      "mpeg4",
      "mpeg2",
      "mjpeg",
      "prores",
      "ffv1",
    ] as const),
  ],
  rate: ["25", "30000/1001", "12", "60", "120", "1/2", "variable"],
  edits: ["whole", "start", "end", "both", "middle", "order", "late"],
  matrix: ["upright", "90", "180", "270", "mirrored", "mirrored-90"],
  color: ["unnamed", "bt709", "full", "yuv444", "ten-bits", "rgb"],
  size: ["320x180", "96x160", "176x144 12:11"],
  sound: [
    ...([
      "none",
      "aac",
      "mono-44100",
      "surround",
      "opus",
      "vorbis",
      "mp3",
      "pcm",
      "ac3",
      "flac",
    ] as const),
    ...(["short", "long", "delayed"] as const),
  ],
  texts: ["none", "lines"],
} as const;

type Grid = typeof grid;
type GridCell = { [Name in keyof Grid]: Grid[Name][number] };
type Property = keyof GridCell;

const properties = Object.keys(grid).filter((name): name is Property => name in grid);

/** Codecs of each container. */
const codecsOf: Record<GridCell["container"], readonly GridCell["codec"][]> = {
  mp4: ["h264", "hevc", "vp9", "av1", "mpeg4", "mpeg2", "mjpeg"],
  fragmented: ["h264", "hevc", "vp9", "av1"],
  mov: ["h264", "hevc", "mpeg4", "mjpeg", "prores"],
  mkv: grid.codec,
  webm: ["vp9", "vp8", "av1"],
  avi: ["h264", "mpeg4", "mpeg2", "mjpeg", "ffv1"],
};

const aacs = ["aac", "mono-44100", "surround", "short", "long", "delayed"] as const;
const soundsOf: Record<GridCell["container"], readonly GridCell["sound"][]> = {
  mp4: ["none", ...aacs, "opus", "mp3", "ac3", "flac"],
  fragmented: ["none", ...aacs, "opus"],
  mov: ["none", ...aacs, "pcm", "mp3", "ac3"],
  mkv: grid.sound,
  webm: ["none", "opus", "vorbis"],
  avi: ["none", "mp3", "pcm", "ac3"],
};

const colorsOf: Record<GridCell["codec"], readonly GridCell["color"][]> = {
  h264: grid.color,
  hevc: ["unnamed", "bt709", "full", "yuv444", "ten-bits"],
  vp9: ["unnamed", "bt709", "full", "yuv444"],
  vp8: ["unnamed"],
  av1: ["unnamed", "bt709", "full", "ten-bits"],
  mpeg4: ["unnamed"],
  mpeg2: ["unnamed", "bt709"],
  mjpeg: ["full"],
  prores: ["bt709"],
  ffv1: ["unnamed", "rgb"],
};

/** Returns whether ffmpeg can write such a file. */
function isPossible(cell: GridCell): boolean {
  const { container, codec, rate, edits, matrix, color, sound, texts, size } = cell;
  const hasIndex = container === "mp4" || container === "mov";
  const hasSteadyRate = rate === "25" || rate === "30000/1001" || rate === "60";
  return (
    codecsOf[container].includes(codec) &&
    soundsOf[container].includes(sound) &&
    colorsOf[codec].includes(color) &&
    (hasIndex || (edits === "whole" && matrix === "upright")) &&
    (codec !== "mpeg2" || hasSteadyRate) &&
    (container !== "avi" || (rate !== "variable" && rate !== "1/2" && texts === "none")) &&
    (container !== "fragmented" || texts === "none") &&
    // Half of the frames is a single one.
    (rate !== "1/2" || edits === "whole") &&
    (size !== "176x144 12:11" || !["webm", "avi"].includes(container)) &&
    (edits === "whole" || !["short", "long", "delayed"].includes(sound))
  );
}

/**
 * Returns cells that contain each possible pair of values, or as many pairs as fit, always the same.
 * Each is the best of some random ones.
 */
export function listGridCells(count: number): GridCell[] {
  const random = createRandom(44);
  const draw = (): GridCell => {
    for (;;) {
      const container = random.pick(grid.container);
      const codec = random.pick(codecsOf[container]);
      const cell: GridCell = {
        container,
        codec,
        rate: random.pick(grid.rate),
        edits: random.pick(grid.edits),
        matrix: random.pick(grid.matrix),
        color: random.pick(colorsOf[codec]),
        size: random.pick(grid.size),
        sound: random.pick(soundsOf[container]),
        texts: random.pick(grid.texts),
      };
      if (isPossible(cell)) return cell;
    }
  };
  const seen = new Set<string>();
  return Array.from({ length: count }, () => {
    const candidates = Array.from({ length: 80 }, () => {
      const cell = draw();
      return { cell, pairs: listPairs(cell).filter((pair) => !seen.has(pair)) };
    });
    const best = candidates.reduce((a, b) => (b.pairs.length > a.pairs.length ? b : a));
    for (const pair of best.pairs) seen.add(pair);
    return best.cell;
  });
}

const listPairs = (cell: GridCell): string[] =>
  properties.flatMap((a, i) =>
    properties.slice(i + 1).map((b) => `${a}=${cell[a]} ${b}=${cell[b]}`),
  );

/** Returns a name such as "mp4 h264 25 start bt709 320x180 aac". Leaves out usual values. */
export const titleOf = (cell: GridCell): string =>
  properties
    .map((name) => cell[name])
    .filter((value) => !["whole", "upright", "none"].includes(value))
    .join(" ");

const encoders: Record<GridCell["codec"], string[]> = {
  h264: ["libx264", "-preset", "ultrafast", "-qp", "12", "-g", "20", "-bf", "2"],
  hevc: ["libx265", "-preset", "ultrafast", "-x265-params", "log-level=error:qp=14:keyint=20"],
  vp9: ["libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-crf", "12", "-b:v", "0"],
  vp8: ["libvpx", "-deadline", "realtime", "-cpu-used", "8", "-crf", "4", "-b:v", "4M"],
  av1: ["libsvtav1", "-preset", "12", "-crf", "14"],
  mpeg4: ["mpeg4", "-q:v", "2", "-g", "20"],
  mpeg2: ["mpeg2video", "-q:v", "2", "-g", "12"],
  mjpeg: ["mjpeg", "-q:v", "2"],
  prores: ["prores_ks", "-profile:v", "2"],
  ffv1: ["ffv1"],
};

const sounds: Partial<Record<GridCell["sound"], string[]>> = {
  "mono-44100": ["aac", "-ac", "1", "-ar", "44100"],
  surround: ["aac", "-ac", "6"],
  opus: ["libopus"],
  vorbis: ["libvorbis"],
  mp3: ["libmp3lame"],
  pcm: ["pcm_s16le"],
  ac3: ["ac3"],
  flac: ["flac", "-strict", "-2"],
};

/** Returns whether this build of ffmpeg can write a cell's codecs. */
export async function canMakeCell({ codec, sound }: GridCell): Promise<boolean> {
  const needed = [encoders[codec][0] ?? "", sounds[sound]?.[0] ?? "aac"];
  const hasEach = await Promise.all(needed.map(hasEncoder));
  return hasEach.every(Boolean);
}

const edited: Partial<Record<GridCell["edits"], PlayedPart[]>> = {
  start: [play(0.72, clipS - 0.72)],
  end: [play(0, 1.2)],
  both: [play(0.4, 0.8)],
  middle: [play(0, 0.6), play(1.2, 0.6)],
  order: [play(1.2, 0.6), play(0.4, 0.4), play(1.2, 0.6)],
  late: [play(null, 0.4), play(0.6, 1)],
};

const matrices: Partial<Record<GridCell["matrix"], number[]>> = {
  90: quarterTurn,
  180: matrixOf(-1, 0, 0, -1),
  270: matrixOf(0, -1, 1, 0),
  mirrored: matrixOf(-1, 0, 0, 1),
  "mirrored-90": matrixOf(0, 1, 1, 0),
};

/** Pixel format and filters that give a picture in RGB its colors. */
const colors: Record<GridCell["color"], { convert: string; pixelFormat: string }> = {
  unnamed: { convert: "scale=out_color_matrix=bt601:out_range=tv", pixelFormat: "yuv420p" },
  bt709: { convert: "scale=out_color_matrix=bt709:out_range=tv", pixelFormat: "yuv420p" },
  full: { convert: "scale=out_color_matrix=bt709:out_range=pc", pixelFormat: "yuv420p" },
  yuv444: { convert: "scale=out_color_matrix=bt601:out_range=tv", pixelFormat: "yuv444p" },
  "ten-bits": { convert: "scale=out_color_matrix=bt709:out_range=tv", pixelFormat: "yuv420p10le" },
  rgb: { convert: "null", pixelFormat: "rgb24" },
};

function planColors({ codec, color }: GridCell): string[] {
  const { convert, pixelFormat } = colors[color];
  const special = { mjpeg: "yuvj420p", prores: "yuv422p10le" };
  const format =
    codec === "mjpeg" || codec === "prores"
      ? special[codec]
      : codec === "ffv1" && color === "rgb"
        ? "gbrp"
        : pixelFormat;
  // JPEG always uses BT.601.
  const matrix = codec === "mjpeg" ? convert.replace("bt709", "bt601") : convert;
  const isNamed =
    color === "bt709" || color === "ten-bits" || (color === "full" && codec !== "mjpeg");
  const names = isNamed
    ? "colorspace=bt709:color_primaries=bt709:color_trc=bt709"
    : `colorspace=${color === "rgb" ? "gbr" : "unknown"}:color_primaries=unknown:color_trc=unknown`;
  const range = color === "full" || color === "rgb" ? "pc" : "tv";
  return [
    ...["-vf", `${matrix},format=${format},setparams=range=${range}:${names}`, "-pix_fmt", format],
  ];
}

export interface GridClip {
  file: string;
  /** The same file before an edit list was written, and the parts that the list plays. */
  edited: { file: string; parts: PlayedPart[] } | null;
}

/** Returns a cached file for a cell. Don't write to it. */
export async function makeGridClip(cell: GridCell): Promise<GridClip> {
  const { container, codec, edits, matrix } = cell;
  const extension = container === "fragmented" ? "mp4" : container;
  const name = titleOf(cell).replaceAll(/[^a-z0-9]+/gi, "-");
  const encoder = cell.color === "rgb" && codec === "h264" ? "libx264rgb" : encoders[codec][0];
  const durationS = cell.rate === "1/2" ? 6 : clipS;
  let file = await encodeClip(`${name}.${extension}`, [
    ...(await openInputs(cell, durationS)),
    ...["-c:v", encoder ?? "", ...encoders[codec].slice(1), ...planColors(cell)],
    ...(cell.rate === "variable" ? ["-fps_mode", "vfr"] : []),
    ...(cell.sound === "none" ? [] : ["-c:a", ...(sounds[cell.sound] ?? ["aac"])]),
    ...(container === "fragmented" ? ["-movflags", "+frag_keyframe+empty_moov"] : []),
    ...["-strict", "-2"],
  ]);
  const turn = matrices[matrix];
  const parts = edited[edits];
  if (turn !== undefined) file = await setMatrix(`turned-${name}.${extension}`, file, turn);
  if (parts === undefined) return { file, edited: null };
  const cut = await setEdits(`edited-${name}.${extension}`, file, () => parts);
  return { file: cut, edited: { file, parts } };
}

async function openInputs(cell: GridCell, durationS: number): Promise<string[]> {
  const { rate, sound, container } = cell;
  const [size = "", shape] = cell.size.split(" ");
  const [width = 0, height = 0] = size.split("x").map(Number);
  const drawn = rate === "variable" ? "25" : rate;
  const filters = [
    ...(rate === "variable" ? [String.raw`select='mod(n\,5)-2'`] : []),
    ...(shape === undefined ? [] : [`setsar=${shape.replace(":", "/")}`]),
  ];
  const picture = drawMoving({ width, height }, drawn, durationS);
  const soundS = durationS + (sound === "short" ? -0.6 : sound === "long" ? 0.7 : 0);
  const texts = cell.texts === "lines" ? await keepBytes("grid-lines.srt", lines) : null;
  const format = { mp4: "mov_text", mov: "mov_text", mkv: "srt", webm: "webvtt" };
  return [
    ...["-f", "lavfi", "-i", [picture, ...filters].join(",")],
    ...(sound === "delayed" ? ["-itsoffset", "0.4"] : []),
    ...(sound === "none" ? [] : ["-f", "lavfi", "-i", drawChirp(soundS)]),
    ...(texts === null ? [] : ["-i", texts]),
    ...["-map", "0"],
    ...(sound === "none" ? [] : ["-map", "1"]),
    ...(texts === null || container === "avi" || container === "fragmented"
      ? []
      : ["-map", sound === "none" ? "1" : "2", "-c:s", format[container]]),
  ];
}

/** Returns a source of sound whose pitch rises, so that each moment can be recognised. */
export function drawChirp(durationS: number, rateHz = 48_000): string {
  const chirp = "0.4*sin(2*PI*(200*t+40*t*t))";
  return `aevalsrc='${chirp}|0.7*${chirp}':s=${rateHz}:d=${durationS}`;
}

const lines =
  "1\n00:00:00,100 --> 00:00:00,500\nOne\n\n2\n00:00:00,700 --> 00:00:01,100\nTwo\n\n" +
  "3\n00:00:01,300 --> 00:00:01,800\nThree\n";

/** Draws six fields and two boxes between them, whose places differ widely from frame to frame. */
export function drawMoving(
  size: { width: number; height: number },
  rate: string,
  durationS: number,
): string {
  const { width, height } = size;
  const box = { width: Math.round(width / 8), height: Math.round(height / 4) };
  const draw = (color: string) =>
    `color=${color}:s=${box.width}x${box.height}:r=${rate}:d=${durationS},format=gbrp`;
  const place = (step: number) =>
    `overlay=format=gbrp:shortest=1:x='mod(n*${step},${width - box.width})':y=${Math.round(height * 0.375)}`;
  return [
    `${drawFields(size, rate, durationS)}[fields]`,
    `${draw("white")}[white];${draw("black")}[black]`,
    `[fields][white]${place(Math.round(width * 0.37))}[both]`,
    `[both][black]${place(Math.round(width * 0.23) + 3)},format=gbrp`,
  ].join(";");
}
