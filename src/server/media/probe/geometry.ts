import type { ProbedFrame, ProbedStream } from "./ffprobe-output.ts";
import { parseRatio } from "./ffprobe-output.ts";
import type { Ratio, VideoFacts } from "../facts/media-facts.ts";

/** Maximum pixel aspect ratio. More extreme ones are errors in the file. */
const maxSar = 8;
/** Maximum deviation from a multiple of 90 degrees. Programs round the cells of a matrix. */
const maxDeviationDeg = 1;
/** 1 as a 16.16 fixed-point number, as in the cells of a display matrix. */
const one = 0x10000;

export type Geometry = Pick<
  VideoFacts,
  | "codedWidth"
  | "codedHeight"
  | "width"
  | "height"
  | "sar"
  | "rotationDeg"
  | "isMirrored"
  | "displayMatrix"
>;
type Orientation = Pick<Geometry, "rotationDeg" | "isMirrored" | "displayMatrix">;

/**
 * Computes the displayed size from a decoded frame and from the container's pixel ratio and display
 * matrix.
 */
export function readGeometry(stream: ProbedStream, frame: ProbedFrame): Geometry {
  const codedWidth = frame.width ?? stream.width ?? 0;
  const codedHeight = frame.height ?? stream.height ?? 0;
  const sar = readSar(stream, frame);
  const orientation = readOrientation(stream);
  // The smaller side keeps its pixels. The other side is stretched.
  const shownWidth = Math.round(codedWidth * Math.max(sar.num / sar.den, 1));
  const shownHeight = Math.round(codedHeight * Math.max(sar.den / sar.num, 1));
  const isTurned = orientation.rotationDeg % 180 !== 0;
  return {
    codedWidth,
    codedHeight,
    width: isTurned ? shownHeight : shownWidth,
    height: isTurned ? shownWidth : shownHeight,
    sar,
    ...orientation,
  };
}

function readSar(stream: ProbedStream, frame: ProbedFrame): Ratio {
  // The container's ratio takes precedence, as in ffmpeg.
  const sar = parseRatio(stream.sample_aspect_ratio) ?? parseRatio(frame.sample_aspect_ratio);
  if (sar === null) return { num: 1, den: 1 };
  const value = sar.num / sar.den;
  return value > maxSar || value < 1 / maxSar ? { num: 1, den: 1 } : sar;
}

/**
 * Splits the display matrix into a mirror image (left to right) and a rotation after it. The matrix
 * `a b u / c d v / x y w` moves the corner (1, 0) to (a, b) and (0, 1) to (c, d), with y downwards.
 */
function readOrientation(stream: ProbedStream): Orientation {
  const upright = { rotationDeg: 0, isMirrored: false } as const;
  const data = stream.side_data_list.find((entry) => entry.side_data_type === "Display Matrix");
  if (data === undefined) return { ...upright, displayMatrix: "plain" };
  const [a, b, c, d] = readCells(data.displaymatrix ?? "");
  const area = a * d - b * c;
  // Some programs write zeros if they don't know the orientation.
  if (area === 0) return { ...upright, displayMatrix: "unusual" };
  const isMirrored = area < 0;
  const alongDeg = toDegrees(isMirrored ? Math.atan2(-b, -a) : Math.atan2(b, a));
  const acrossDeg = toDegrees(Math.atan2(-c, d));
  const rotationDeg = nearestQuarter(alongDeg);
  const deviationDeg = Math.max(
    turnBetween(alongDeg, rotationDeg),
    turnBetween(acrossDeg, rotationDeg),
  );
  if (deviationDeg > maxDeviationDeg) return { ...upright, displayMatrix: "ignored" };
  const isPlain = !isMirrored && [a, b, c, d].every((cell) => cell === 0 || Math.abs(cell) === one);
  return { rotationDeg, isMirrored, displayMatrix: isPlain ? "plain" : "unusual" };
}

/** Parses the lines "00000000: a b u" that ffprobe prints. */
function readCells(text: string): [number, number, number, number] {
  const rows = [...text.matchAll(/^\w+:\s+(-?\d+)\s+(-?\d+)/gm)].map(([, x, y]) => [
    Number(x),
    Number(y),
  ]);
  const [[a = one, b = 0] = [], [c = 0, d = one] = []] = rows;
  return [a, b, c, d];
}

const toDegrees = (radians: number): number => (radians * 180) / Math.PI;

const turnBetween = (aDeg: number, bDeg: number): number =>
  Math.abs(((((aDeg - bDeg) % 360) + 540) % 360) - 180);

function nearestQuarter(degrees: number): Orientation["rotationDeg"] {
  const quarters = [0, 90, 180, 270] as const;
  return quarters.toSorted((a, b) => turnBetween(degrees, a) - turnBetween(degrees, b))[0] ?? 0;
}
