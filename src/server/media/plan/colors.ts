import { dolbyVisionMatrix, type VideoFacts } from "../facts/media-facts.ts";
import { escapeFilterOption } from "./encode-options.ts";
import { findColorTable, hasRawPlanes } from "../facts/color-table.ts";

/** Names of the colors of a picture, as ffmpeg spells them. */
export interface ColorNames {
  matrix: string;
  primaries: string;
  transfer: string;
}

/** Formats without a matrix. Palettes consist of RGB. */
const rgbFormats = /^(gbr|rgb|bgr|argb|abgr|0rgb|0bgr|x2rgb|x2bgr|pal8|mono)/;

const isRgb = ({ pixelFormat }: VideoFacts): boolean => rgbFormats.test(pixelFormat);

/** Matrices that every browser knows, and that ffmpeg's scaler reads and writes. */
const plainMatrices = new Set(["bt709", "smpte170m", "bt470bg"]);
/** Names that the scaler gives to matrices. It reads all others like BT.601. */
const scalerMatrices: Record<string, string> = {
  ...{ bt709: "bt709", smpte170m: "smpte170m", bt470bg: "bt470", fcc: "fcc" },
  ...{ smpte240m: "smpte240m", bt2020nc: "bt2020", bt2020c: "bt2020" },
};

/**
 * Returns the colors of a source. Guesses missing ones like Chromium and Firefox, by the lines of
 * the coded picture, so that a copy looks the same as its renditions.
 */
export function nameSourceColors(video: VideoFacts): ColorNames {
  const { isHdr, colorMatrix, codedHeight } = video;
  const guess = isHdr ? "bt2020nc" : codedHeight < 720 ? "smpte170m" : "bt709";
  // Some programs store YUV and still declare RGB.
  const named = colorMatrix === "gbr" ? null : colorMatrix;
  const matrix = isRgb(video) ? "gbr" : (named ?? guess);
  const isSd = matrix === "smpte170m" || matrix === "bt470bg";
  return {
    matrix,
    primaries: video.colorPrimaries ?? (isHdr ? "bt2020" : isSd ? "smpte170m" : "bt709"),
    transfer: video.colorTransfer ?? (isSd ? "smpte170m" : "bt709"),
  };
}

/** Returns whether a source names all its colors. If one is missing, Chromium ignores the others. */
const namesColors = (video: VideoFacts): boolean =>
  [video.colorMatrix, video.colorPrimaries, video.colorTransfer].every((name) => name !== null) &&
  (isRgb(video) || video.colorMatrix !== "gbr");

/** Returns whether browsers show a copy of the source in its own colors. */
export const hasBrowserColors = (video: VideoFacts): boolean =>
  [...plainMatrices, "fcc", "bt2020nc"].includes(nameSourceColors(video).matrix);

/**
 * Returns whether renditions can preserve a source's high dynamic range. Dolby Vision without a
 * compatible base layer has its own matrix, which only lookup tables convert.
 */
export const canPreserveHdr = ({ isHdr, colorMatrix }: VideoFacts): boolean =>
  isHdr && colorMatrix !== dolbyVisionMatrix;

/** Returns the colors of renditions in standard range. */
export function nameRenditionColors(video: VideoFacts): ColorNames {
  if (findColorTable(video) !== null) return bt709;
  const source = nameSourceColors(video);
  return plainMatrices.has(source.matrix) ? source : { ...source, matrix: "bt709" };
}

const bt709: ColorNames = { matrix: "bt709", primaries: "bt709", transfer: "bt709" };

/** Filters that convert colors and name them. */
interface ColorFilters {
  /** Options of the filter that scales the source, each with a colon in front. */
  scaleOptions: string;
  /** Pixel format of the scaled frames. */
  format: string;
  /** Filters that follow. The last one names all colors. */
  filters: string[];
}

/**
 * Returns the filters for a rendition or picture in 4:2:0 and limited range. Browsers know its
 * matrix, and in standard range its other colors are those of BT.709 or were named by the source.
 */
export function planColors(
  video: VideoFacts,
  { preservesHdr, tablesFolder }: { preservesHdr: boolean; tablesFolder: string },
): ColorFilters {
  const source = nameSourceColors(video);
  const table = preservesHdr ? null : findColorTable(video);
  if (table !== null) return planLookUp(video, table, tablesFolder);
  const names = preservesHdr ? { ...source, matrix: "bt2020nc" } : nameRenditionColors(video);
  const isPlain = names.matrix === source.matrix;
  return {
    scaleOptions: [
      ...(isPlain ? [] : [readMatrix(video), `:out_color_matrix=${scalerMatrices[names.matrix]}`]),
      // Without options, the scaler skips frames that have the right size and format.
      ...(isPlain && !video.isFullRange ? [] : [readRange(video), ":out_range=tv"]),
    ].join(""),
    format: preservesHdr ? "yuv420p10le" : "yuv420p",
    filters: [nameColors(names)],
  };
}

/**
 * Returns a filter in front of the scaler for a matrix that it doesn't read. Since ffmpeg 7, it refuses
 * frames with such a matrix, even if an option names another one.
 */
export function replaceUnreadMatrix(video: VideoFacts): string[] {
  const { matrix } = nameSourceColors(video);
  if (matrix === "bt2020c") return ["setparams=colorspace=bt2020nc"];
  return isRgb(video) || matrix in scalerMatrices ? [] : ["setparams=colorspace=smpte170m"];
}

function planLookUp(video: VideoFacts, table: string, tablesFolder: string): ColorFilters {
  const file = escapeFilterOption(`${tablesFolder}/${table}.cube`);
  const isRaw = hasRawPlanes(table);
  return {
    scaleOptions: isRaw ? `${readRange(video)}:out_range=pc` : readMatrix(video) + readRange(video),
    format: isRaw ? "yuv444p16le" : "gbrp16le",
    filters: [
      ...(isRaw ? ["mergeplanes=0x000102:gbrp16le"] : []),
      `lut3d=file=${file}:interp=tetrahedral`,
      ...["scale=out_color_matrix=bt709:out_range=tv", "format=yuv420p"],
      nameColors(bt709),
    ],
  };
}

function readMatrix(video: VideoFacts): string {
  const { matrix } = nameSourceColors(video);
  return isRgb(video) ? "" : `:in_color_matrix=${scalerMatrices[matrix] ?? "bt601"}`;
}

const readRange = (video: VideoFacts): string =>
  isRgb(video) ? "" : `:in_range=${video.isFullRange ? "pc" : "tv"}`;

/** Returns a filter that names the colors of frames, because encoders write these names. */
const nameColors = ({ matrix, primaries, transfer }: ColorNames): string =>
  `setparams=range=tv:color_primaries=${primaries}:color_trc=${transfer}:colorspace=${matrix}`;

/** Codes of colors in H.264 and HEVC (ITU-T H.273). */
const codes = {
  primaries: {
    ...{ bt709: 1, bt470m: 4, bt470bg: 5, smpte170m: 6, smpte240m: 7, film: 8, bt2020: 9 },
    ...{ smpte428: 10, smpte431: 11, smpte432: 12 },
  },
  transfer: {
    ...{ bt709: 1, bt470m: 4, bt470bg: 5, smpte170m: 6, smpte240m: 7, linear: 8, log100: 9 },
    ...{ log316: 10, "iec61966-2-4": 11, bt1361e: 12, "iec61966-2-1": 13, "bt2020-10": 14 },
    ...{ "bt2020-12": 15, smpte2084: 16, smpte428: 17, "arib-std-b67": 18 },
  },
  matrix: { bt709: 1, fcc: 4, bt470bg: 5, smpte170m: 6, bt2020nc: 9 },
} as const satisfies Record<string, Record<string, number>>;

/**
 * Returns options that write the names of all colors into a copy of H.264. Returns none if the
 * source has them, because rewriting every packet takes time.
 */
export const nameCopiedColors = (video: VideoFacts): string[] =>
  namesColors(video) ? [] : ["-bsf:v", rewriteColors(video)];

/**
 * Returns options before `-i` that replace reserved codes of colors. Filters refuse frames with such
 * colors since ffmpeg 7, which can also rewrite the packets of an input.
 */
export const nameReservedColors = (
  video: VideoFacts,
  { refusesReservedColors }: { refusesReservedColors: boolean },
): string[] =>
  refusesReservedColors && video.hasReservedColors && /^(h264|hevc)$/.test(video.codec)
    ? [`-bsf:${video.index}`, rewriteColors(video)]
    : [];

/** Returns a bitstream filter that writes the names of all colors. */
function rewriteColors(video: VideoFacts): string {
  const { matrix, primaries, transfer } = nameSourceColors(video);
  const find = (table: Record<string, number>, name: string): number => table[name] ?? 1;
  const fields = [
    `video_full_range_flag=${video.isFullRange ? 1 : 0}`,
    `colour_primaries=${find(codes.primaries, primaries)}`,
    `transfer_characteristics=${find(codes.transfer, transfer)}`,
    `matrix_coefficients=${find(codes.matrix, matrix)}`,
  ];
  return `${video.codec}_metadata=${fields.join(":")}`;
}
