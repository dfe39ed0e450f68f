import type { ProbedFrame, ProbedStream } from "./ffprobe-output.ts";
import { parseRatio } from "./ffprobe-output.ts";
import type { Ratio } from "../facts/media-facts.ts";

/** Maximum pixel aspect ratio. More extreme ones are errors in the file. */
const maxSar = 8;

export interface Geometry {
  codedWidth: number;
  codedHeight: number;
  width: number;
  height: number;
  sar: Ratio;
  rotationDeg: 0 | 90 | 180 | 270;
  hasOddMatrix: boolean;
}

/**
 * Computes the displayed size from a decoded frame and from the container's pixel ratio and display
 * matrix.
 */
export function readGeometry(stream: ProbedStream, frame: ProbedFrame): Geometry {
  const codedWidth = frame.width ?? stream.width ?? 0;
  const codedHeight = frame.height ?? stream.height ?? 0;
  const sar = readSar(stream, frame);
  const { rotationDeg, hasOddMatrix } = readRotation(stream);
  // The smaller side keeps its pixels. The other side is stretched.
  const shownWidth = Math.round(codedWidth * Math.max(sar.num / sar.den, 1));
  const shownHeight = Math.round(codedHeight * Math.max(sar.den / sar.num, 1));
  const isTurned = rotationDeg === 90 || rotationDeg === 270;
  return {
    codedWidth,
    codedHeight,
    width: isTurned ? shownHeight : shownWidth,
    height: isTurned ? shownWidth : shownHeight,
    sar,
    rotationDeg,
    hasOddMatrix,
  };
}

function readSar(stream: ProbedStream, frame: ProbedFrame): Ratio {
  // The container's ratio takes precedence, as in ffmpeg.
  const sar = parseRatio(stream.sample_aspect_ratio) ?? parseRatio(frame.sample_aspect_ratio);
  if (sar === null) return { num: 1, den: 1 };
  const value = sar.num / sar.den;
  return value > maxSar || value < 1 / maxSar ? { num: 1, den: 1 } : sar;
}

function readRotation(stream: ProbedStream): Pick<Geometry, "rotationDeg" | "hasOddMatrix"> {
  const data = stream.side_data_list.find((entry) => entry.side_data_type === "Display Matrix");
  if (data === undefined) return { rotationDeg: 0, hasOddMatrix: false };
  // ffprobe reports counter-clockwise degrees. For a zero matrix, it reports 0 or an arbitrary value.
  const degrees: number = ((-(data.rotation ?? 0) % 360) + 360) % 360;
  const isRotation = readDeterminant(data.displaymatrix ?? "") > 0;
  if (degrees === 0 || degrees === 90 || degrees === 180 || degrees === 270) {
    return { rotationDeg: degrees, hasOddMatrix: !isRotation };
  }
  return { rotationDeg: 0, hasOddMatrix: true };
}

/**
 * Returns a*d - b*c of "a b u / c d v / x y w". It is negative for a mirror image, and 0 for a matrix
 * that leaves no picture.
 */
function readDeterminant(matrix: string): number {
  const rows = matrix
    .split("\n")
    .map((line) => line.split(":")[1]?.trim().split(/\s+/).map(Number))
    .filter((row) => row !== undefined);
  const [a = 1, b = 0] = rows[0] ?? [];
  const [c = 0, d = 1] = rows[1] ?? [];
  return a * d - b * c;
}
