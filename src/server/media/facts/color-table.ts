import { dolbyVisionMatrix, type VideoFacts } from "./media-facts.ts";

/**
 * Lookup tables that convert colors to BT.709 for screens of standard dynamic range. A table is a
 * text file in the format "cube" that ffmpeg's `lut3d` filter reads. It takes less time than
 * filters that calculate with floats, and it doesn't depend on how ffmpeg was built.
 */

type Vector = [number, number, number];
type Matrix = readonly [Vector, Vector, Vector];

/** Brightness of white in graphics, skies and paper, in cd/m² (ITU-R BT.2408). */
const referenceWhite = 203;
/**
 * Light of the reference white in standard range, 212 of 255 in gamma 2.4. Above it, there is room
 * for highlights.
 */
const whiteLight = 0.645;
/** Light below which the picture isn't changed. Skin and colors of ordinary things are below. */
const kneeLight = 0.5;

/** HDR transfers: light in cd/m² of the three signals, and the light that becomes white. */
const hdrTransfers = {
  // Few masters go beyond 4000. Most end at 1000, which becomes 238 of 255.
  smpte2084: { peak: 4000, decode: (signals: Vector): Vector => each(signals, decodePq) },
  "arib-std-b67": { peak: 1000, decode: decodeHlg },
};

/** Transfers of standard range that players don't treat like BT.709. */
const sdrTransfers: Record<string, (signal: number) => number> = {
  bt470m: (signal) => signal ** 2.2,
  bt470bg: (signal) => signal ** 2.8,
  linear: (signal) => signal,
};

/** Chromaticities of red, green, blue and white (ITU-T H.273, table 2). */
const chromaticities: Record<string, readonly [number, number][]> = {
  bt709: [
    [0.64, 0.33],
    [0.3, 0.6],
    [0.15, 0.06],
    [0.3127, 0.329],
  ],
  bt470bg: [
    [0.64, 0.33],
    [0.29, 0.6],
    [0.15, 0.06],
    [0.3127, 0.329],
  ],
  bt2020: [
    [0.708, 0.292],
    [0.17, 0.797],
    [0.131, 0.046],
    [0.3127, 0.329],
  ],
  smpte431: [
    [0.68, 0.32],
    [0.265, 0.69],
    [0.15, 0.06],
    [0.314, 0.351],
  ],
  smpte432: [
    [0.68, 0.32],
    [0.265, 0.69],
    [0.15, 0.06],
    [0.3127, 0.329],
  ],
};

/** Colors that all players show like BT.709. */
const plainPrimaries = new Set(["bt709", "smpte170m", "smpte240m"]);
const plainTransfers = new Set([
  ...["bt709", "smpte170m", "smpte240m", "iec61966-2-1", "iec61966-2-4", "bt1361e"],
  ...["bt2020-10", "bt2020-12"],
]);

/**
 * Returns the name of the table for a video, such as "smpte2084-bt2020", or null if its colors are
 * plain or unknown.
 */
export function findColorTable(video: VideoFacts): string | null {
  const { colorMatrix, isHdr } = video;
  if (colorMatrix === dolbyVisionMatrix) return `smpte2084-${dolbyVisionMatrix}`;
  if (colorMatrix === "ycgco") return "bt709-ycgco";
  const transfer = plain(video.colorTransfer, plainTransfers);
  const primaries = plain(video.colorPrimaries, plainPrimaries);
  // HDR files that name nothing else are in BT.2020.
  if (isHdr)
    return `${transfer}-${video.colorPrimaries !== null && primaries in chromaticities ? primaries : "bt2020"}`;
  const isKnown = primaries in chromaticities && (transfer === "bt709" || transfer in sdrTransfers);
  const name = `${transfer}-${primaries}`;
  return isKnown && name !== "bt709-bt709" ? name : null;
}

const plain = (name: string | null, plainNames: ReadonlySet<string>): string =>
  name === null || plainNames.has(name) ? "bt709" : name;

/**
 * Returns whether a table needs the planes Y, U and V of a picture in green, blue and red, because
 * ffmpeg can't convert them to RGB.
 */
export const hasRawPlanes = (table: string): boolean =>
  table.endsWith(dolbyVisionMatrix) || table.endsWith("ycgco");

/** Points along each side of a table. With 33, dark channels of bright colors are 30% further off. */
const size = 49;

/** Writes the table of a name from `findColorTable`, in parts. */
export function* writeColorTable(name: string): Generator<string> {
  const convert = planConversion(name);
  const steps = Array.from({ length: size }, (_, i) => i / (size - 1));
  yield `LUT_3D_SIZE ${size}\n`;
  for (const blue of steps) {
    const lines = steps.flatMap((green) =>
      steps.map((red) =>
        convert([red, green, blue])
          .map((signal) => Math.min(1, Math.max(0, signal)).toFixed(4))
          .join(" "),
      ),
    );
    yield `${lines.join("\n")}\n`;
  }
}

function planConversion(name: string): (signals: Vector) => Vector {
  if (name === "bt709-ycgco")
    return ([red, green, blue]) => decodeYcgco([green, blue - 0.5, red - 0.5]);
  if (name === `smpte2084-${dolbyVisionMatrix}`) {
    const toneMap = planToneMap(hdrTransfers.smpte2084.peak, "bt2020");
    return ([red, green, blue]) => toneMap(decodeDolbyVision([green, blue - 0.5, red - 0.5]));
  }
  for (const [transfer, { peak, decode }] of Object.entries(hdrTransfers)) {
    if (!name.startsWith(`${transfer}-`)) continue;
    const toneMap = planToneMap(peak, name.slice(transfer.length + 1));
    return (signals) => toneMap(decode(signals));
  }
  const [transfer = "", primaries = ""] = name.split("-");
  const decode = sdrTransfers[transfer] ?? decodeSrgb;
  const toBt709 = convertPrimaries(primaries);
  return (signals) => each(fitGamut(multiply(toBt709, each(signals, decode))), encodeSrgb);
}

/**
 * Returns the tone mapping from light in cd/m² to signals in BT.709. It scales all channels alike,
 * which preserves hues, and shifts highlights towards white.
 * @param peak light that becomes white.
 */
function planToneMap(peak: number, primaries: string): (light: Vector) => Vector {
  const brightest = peak / referenceWhite;
  const toBt709 = convertPrimaries(primaries);
  const shoulder = (light: number, steepness: number): number =>
    kneeLight +
    ((1 - kneeLight) * Math.log1p(steepness * (light - kneeLight))) /
      Math.log1p(steepness * (brightest - kneeLight));
  let [low, high] = [1e-3, 1e4];
  while (high / low > 1.0001) {
    const middle = Math.sqrt(low * high);
    if (shoulder(1, middle) < whiteLight) low = middle;
    else high = middle;
  }
  const compress = (light: Vector): Vector => {
    const most = Math.max(...light);
    if (most <= kneeLight) return light;
    const scale = shoulder(Math.min(most, brightest), low) / most;
    const whitening = 0.4 * Math.min(1, Math.max(0, Math.log(most) / Math.log(brightest)));
    return each(light, (value) => (value + (most - value) * whitening) * scale);
  };
  return (light) => {
    const relative = each(light, (nits) => nits / referenceWhite);
    return each(compress(fitGamut(multiply(toBt709, relative))), (value) => value ** (1 / 2.4));
  };
}

/** Desaturates colors that BT.709 can't show, without a change of their brightness. */
function fitGamut(light: Vector): Vector {
  const least = Math.min(...light);
  if (least >= 0) return light;
  const [r, g, b] = light;
  const luminance = Math.max(0, 0.2126 * r + 0.7152 * g + 0.0722 * b);
  const share = luminance / (luminance - least);
  return each(light, (value) => luminance + (value - luminance) * share);
}

/** Returns light in cd/m² (SMPTE ST 2084). */
function decodePq(signal: number): number {
  const root = Math.max(0, signal) ** (1 / 78.84375);
  return (
    10_000 *
    (Math.max(0, root - 0.8359375) / (18.8515625 - 18.6875 * root)) ** (1 / 0.1593017578125)
  );
}

/** Returns light in cd/m² on a screen of 1000 cd/m² (ITU-R BT.2100, table 5). */
function decodeHlg(signals: Vector): Vector {
  const scene = each(signals, (signal) =>
    signal <= 0.5
      ? signal ** 2 / 3
      : (Math.exp((signal - 0.55991073) / 0.17883277) + 0.28466892) / 12,
  );
  const [r, g, b] = scene;
  const luminance = 0.2627 * r + 0.678 * g + 0.0593 * b;
  return each(scene, (value) => 1000 * luminance ** 0.2 * value);
}

const decodeYcgco = ([luma, green, orange]: Vector): Vector => [
  luma - green + orange,
  luma + green,
  luma - green - orange,
];

/**
 * Returns BT.2020 light in cd/m² from the planes of Dolby Vision profile 5. Uses the values that
 * most files have in their metadata, which ffmpeg doesn't apply.
 */
function decodeDolbyVision(planes: Vector): Vector {
  const signals = multiply(
    [
      [1, 799 / 8192, 1681 / 8192],
      [1, -933 / 8192, 1091 / 8192],
      [1, 267 / 8192, -5545 / 8192],
    ],
    planes,
  );
  const cones = multiply(
    [
      [17081 / 16384, -349 / 16384, -349 / 16384],
      [-349 / 16384, 17081 / 16384, -349 / 16384],
      [-349 / 16384, -349 / 16384, 17081 / 16384],
    ],
    each(signals, decodePq),
  );
  return multiply(
    [
      [3.06441879, -2.16597676, 0.10155818],
      [-0.65612108, 1.78554118, -0.12943749],
      [0.01736321, -0.04725154, 1.03004253],
    ],
    cones,
  );
}

const decodeSrgb = (signal: number): number =>
  signal <= 0.04045 ? signal / 12.92 : ((signal + 0.055) / 1.055) ** 2.4;
const encodeSrgb = (light: number): number =>
  light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055;

/** Returns the matrix from linear light in some primaries to BT.709. */
function convertPrimaries(name: string): Matrix {
  const [from, to] = [name, "bt709"].map((each) => toXyz(chromaticities[each] ?? []));
  if (from === undefined || to === undefined) throw new Error("no primaries");
  const inverse = invert(to);
  const columns = [0, 1, 2].map((i) =>
    multiply(inverse, [from[0][i] ?? 0, from[1][i] ?? 0, from[2][i] ?? 0]),
  );
  const [r = zero, g = zero, b = zero] = columns;
  return [
    [r[0], g[0], b[0]],
    [r[1], g[1], b[1]],
    [r[2], g[2], b[2]],
  ];
}

const zero: Vector = [0, 0, 0];

/** Returns the matrix from linear light to CIE XYZ, with white at (1, 1, 1). */
function toXyz([red = [1, 0], green = [0, 1], blue = [0, 0], white = [1 / 3, 1 / 3]]: readonly [
  number,
  number,
][]): Matrix {
  const xyz = ([x, y]: readonly [number, number]): Vector => [x / y, 1, (1 - x - y) / y];
  const [r, g, b] = [xyz(red), xyz(green), xyz(blue)];
  const rows: Matrix = [
    [r[0], g[0], b[0]],
    [r[1], g[1], b[1]],
    [r[2], g[2], b[2]],
  ];
  const shares = multiply(invert(rows), xyz(white));
  const scale = (row: Vector): Vector => [
    row[0] * shares[0],
    row[1] * shares[1],
    row[2] * shares[2],
  ];
  return [scale(rows[0]), scale(rows[1]), scale(rows[2])];
}

const each = (vector: Vector, change: (value: number) => number): Vector => [
  change(vector[0]),
  change(vector[1]),
  change(vector[2]),
];

function multiply(rows: Matrix, vector: Vector): Vector {
  const dot = (row: Vector): number => row[0] * vector[0] + row[1] * vector[1] + row[2] * vector[2];
  return [dot(rows[0]), dot(rows[1]), dot(rows[2])];
}

function invert([[a, b, c], [d, e, f], [g, h, i]]: Matrix): Matrix {
  const [x, y, z] = [e * i - f * h, f * g - d * i, d * h - e * g];
  const determinant = a * x + b * y + c * z;
  const divide = (...row: Vector): Vector => each(row, (value) => value / determinant);
  return [
    divide(x, c * h - b * i, b * f - c * e),
    divide(y, a * i - c * g, c * d - a * f),
    divide(z, b * g - a * h, a * e - b * d),
  ];
}
