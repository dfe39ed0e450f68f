import { encodeClip } from "./clip-cache.ts";

/** Colors of the six fields of a color clip as 8-bit RGB, row by row, in two rows. */
export const fields = [
  [220, 40, 40],
  [40, 180, 75],
  [50, 70, 210],
  [230, 210, 60],
  // Skin.
  [224, 172, 140],
  // White of graphics and paper.
  [235, 235, 235],
] as const satisfies readonly Rgb[];

export type Rgb = readonly [red: number, green: number, blue: number];

const columns = 3;

/** Returns the middle of each field as a fraction of width and height. */
export const fieldCenters = fields.map((_, i) => ({
  x: ((i % columns) + 0.5) / columns,
  y: (Math.floor(i / columns) + 0.5) / (fields.length / columns),
}));

/** Joins six pictures of the same size into two rows. */
const grid = (pictures: readonly string[]): string => {
  const labels = (from: number) =>
    pictures.slice(from, from + columns).map((_, i) => `[p${from + i}]`);
  return [
    ...pictures.map((picture, i) => `${picture}[p${i}]`),
    `${labels(0).join("")}hstack=3[top];${labels(columns).join("")}hstack=3[bottom]`,
    "[top][bottom]vstack",
  ].join(";");
};

/** Returns a filter graph that draws the fields in RGB. */
export function drawFields(
  { width, height }: { width: number; height: number },
  rate: string,
  durationS: number,
): string {
  const [fieldWidth, fieldHeight] = [Math.floor(width / columns), height / 2];
  // The last column takes what a division leaves over.
  const widths = [fieldWidth, fieldWidth, width - 2 * fieldWidth];
  return grid(
    fields.map(
      ([r, g, b], i) =>
        `color=c=#${Buffer.from([r, g, b]).toString("hex")}:s=${widths[i % columns]}x${fieldHeight}` +
        `:r=${rate}:d=${durationS},format=gbrp`,
    ),
  );
}

/** Video of the fields in standard range. */
export interface ColorSource {
  /** File name. Its extension determines the container. */
  name: string;
  /** Multiple of 12 by 8. */
  size: string;
  encoder: readonly string[];
  pixelFormat: string;
  /** Matrix that the pixels use, in the words of ffmpeg's scaler. Absent for RGB. */
  matrix?: "bt601" | "bt709" | "bt2020" | "fcc" | "smpte240m";
  isFullRange?: boolean;
  /** Declared colors. Undeclared by default. */
  declared?: { matrix?: string; primaries?: string; transfer?: string };
}

const durationS = 0.6;

/** Returns a cached clip of the fields. */
export function makeColorClip(source: ColorSource): Promise<string> {
  const { size, encoder, pixelFormat, matrix, isFullRange = false, declared = {} } = source;
  const [width = 0, height = 0] = size.split("x").map(Number);
  const range = isFullRange ? "pc" : "tv";
  const convert =
    matrix === undefined ? "" : `scale=out_color_matrix=${matrix}:out_range=${range},`;
  const names = [
    `range=${isFullRange || matrix === undefined ? "pc" : "unknown"}`,
    `colorspace=${declared.matrix ?? (matrix === undefined ? "gbr" : "unknown")}`,
    `color_primaries=${declared.primaries ?? "unknown"}`,
    `color_trc=${declared.transfer ?? "unknown"}`,
  ];
  const filter = `${convert}format=${pixelFormat},setparams=${names.join(":")}`;
  return encodeClip(source.name, [
    ...["-f", "lavfi", "-i", drawFields({ width, height }, "5", durationS)],
    ...["-vf", filter, ...encoder, "-pix_fmt", pixelFormat],
  ]);
}

/** Brightness of white in HDR, in cd/m² (ITU-R BT.2408). */
const referenceWhite = 203;

/** Returns light in BT.2020 as cd/m² for a color of standard range (BT.1886, BT.2087). */
export function toHdrLight(rgb: Rgb): Rgb {
  const [r, g, b] = rgb.map((value) => (value / 255) ** 2.4 * referenceWhite);
  const mix = (x: number, y: number, z: number) => x * (r ?? 0) + y * (g ?? 0) + z * (b ?? 0);
  return [mix(0.6274, 0.3293, 0.0433), mix(0.0691, 0.9195, 0.0114), mix(0.0164, 0.088, 0.8956)];
}

/** Signal of light in cd/m² in PQ (SMPTE ST 2084). */
export function encodePq(light: number): number {
  const power = (light / 10_000) ** 0.1593017578125;
  return ((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power)) ** 78.84375;
}

/** Signals of light in cd/m² in HLG, for a screen of 1000 cd/m² (ITU-R BT.2100). */
export function encodeHlg([r, g, b]: Rgb): Rgb {
  const luminance = (0.2627 * r + 0.678 * g + 0.0593 * b) / 1000;
  const encode = (light: number): number => {
    const scene = (light / 1000) * luminance ** (-0.2 / 1.2);
    return scene <= 1 / 12
      ? Math.sqrt(3 * scene)
      : 0.17883277 * Math.log(12 * scene - 0.28466892) + 0.55991073;
  };
  return [encode(r), encode(g), encode(b)];
}

/** 10-bit samples of the planes Y, Cb and Cr. */
type Samples = readonly [number, number, number];

/** Samples in limited range with the matrix of BT.2020. */
function toYuv([r, g, b]: Rgb): Samples {
  const luma = 0.2627 * r + 0.678 * g + 0.0593 * b;
  return [64 + 876 * luma, 512 + (896 * (b - luma)) / 1.8814, 512 + (896 * (r - luma)) / 1.4746];
}

/** Full-range samples of Dolby Vision profile 5, with the usual matrices of its metadata. */
function toDolbyVision([r, g, b]: Rgb): Samples {
  const cones = [
    0.44082 * r + 0.535373 * g + 0.023813 * b,
    0.161985 * r + 0.758653 * g + 0.079363 * b,
    0.025777 * g + 0.974073 * b,
  ];
  const total = cones.reduce((sum, light) => sum + light, 0);
  // Two hundredths of each cone's light reach the others.
  const [l = 0, m = 0, s = 0] = cones.map((light) =>
    encodePq(0.96 * light + 0.02 * (total - light)),
  );
  const intensity = 0.4 * l + 0.4 * m + 0.2 * s;
  const tritan = 4.455 * l - 4.851 * m + 0.396 * s;
  const protan = 0.8056 * l + 0.3572 * m - 1.1628 * s;
  return [intensity * 1023, 512 + tritan * 1023, 512 + protan * 1023];
}

export type HdrKind = "pq" | "hlg" | "dolby-vision";

/**
 * Returns a cached HDR clip in 10 bits in which the fields look like in standard range, with white at
 * 203 cd/m². For Dolby Vision, it lacks the box that declares it.
 */
export function makeHdrClip(kind: HdrKind, size = "96x48"): Promise<string> {
  const [width = 0, height = 0] = size.split("x").map(Number);
  const pictures = fields.map((rgb) => {
    const light = toHdrLight(rgb);
    const pq = (): Rgb => [encodePq(light[0]), encodePq(light[1]), encodePq(light[2])];
    const samples =
      kind === "dolby-vision"
        ? toDolbyVision(light)
        : toYuv(kind === "hlg" ? encodeHlg(light) : pq());
    const [y, cb, cr] = samples.map((sample) => Math.round(sample));
    return (
      `nullsrc=s=${width / columns}x${height / 2}:r=5:d=${durationS},format=yuv420p10le,` +
      `geq=lum=${y}:cb=${cb}:cr=${cr}`
    );
  });
  const names = {
    pq: "range=tv:colorspace=bt2020nc:color_primaries=bt2020:color_trc=smpte2084",
    hlg: "range=tv:colorspace=bt2020nc:color_primaries=bt2020:color_trc=arib-std-b67",
    "dolby-vision": "range=pc",
  }[kind];
  return encodeClip(`${kind}.mp4`, [
    ...["-f", "lavfi", "-i", grid(pictures), "-vf", `setparams=${names}`],
    ...["-c:v", "libx264", "-preset", "ultrafast", "-qp", "4", "-pix_fmt", "yuv420p10le"],
  ]);
}
