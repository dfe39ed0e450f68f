import { sampleSize, toGrey } from "./frame-score.ts";

/** Number of frames compared per video. They are evenly spaced. */
const frameCount = 10;
/** Cells of a frame. Each bit of its hash compares two neighbours in a row. */
const grid = { columns: 9, rows: 8 };
const frameHashBytes = 8;

/**
 * A frame is almost one colour if neighbouring cells differ by less than this on average, out of
 * 255.
 */
const flatDifference = 2;
/** Bits of 64 that may differ between two hashes of the same frame. */
const maxDistance = 10;
/** Share of frames that must match, and the minimum number. */
const minShare = 0.8;
const minMatches = 6;

/** Positions of the compared frames, in seconds. */
export const listFingerprintPositions = (durationS: number): number[] =>
  Array.from({ length: frameCount }, (_, at) => ((at + 0.5) / frameCount) * durationS);

/**
 * Returns the difference hash (dHash) of a frame: one bit for each pair of horizontal neighbours
 * among 9x8 brightness values. It stays the same with other sizes, codecs and bit rates.
 * @param sample frames produced by `sampleArgs`. Only the first one is used.
 * @returns zeros if the sample contains no frame or the frame has almost no detail.
 */
export function hashFrame(sample: Uint8Array): Buffer {
  const hash = Buffer.alloc(frameHashBytes);
  const frameBytes = sampleSize.width * sampleSize.height * 3;
  if (sample.length < frameBytes) return hash;
  const cells = averageCells(toGrey(sample.subarray(0, frameBytes)));
  let difference = 0;
  for (let row = 0; row < grid.rows; row += 1) {
    let bits = 0;
    for (let column = 0; column < grid.columns - 1; column += 1) {
      const at = row * grid.columns + column;
      const step = (cells[at] ?? 0) - (cells[at + 1] ?? 0);
      bits = bits * 2 + (step > 0 ? 1 : 0);
      difference += Math.abs(step);
    }
    hash[row] = bits;
  }
  return difference / 64 < flatDifference ? Buffer.alloc(frameHashBytes) : hash;
}

function averageCells(grey: Float32Array): Float32Array {
  const { width, height } = sampleSize;
  const sums = new Float32Array(grid.columns * grid.rows);
  const counts = new Uint16Array(sums.length);
  for (let y = 0; y < height; y += 1) {
    const row = Math.floor((y * grid.rows) / height);
    for (let x = 0; x < width; x += 1) {
      const cell = row * grid.columns + Math.floor((x * grid.columns) / width);
      sums[cell] = (sums[cell] ?? 0) + (grey[y * width + x] ?? 0);
      counts[cell] = (counts[cell] ?? 0) + 1;
    }
  }
  return sums.map((sum, cell) => sum / (counts[cell] ?? 1));
}

/**
 * Returns whether two fingerprints show the same pictures. Frames that are flat in both are
 * ignored.
 */
export function isSamePicture(a: Buffer, b: Buffer): boolean {
  let counted = 0;
  let matches = 0;
  for (let at = 0; at < frameCount * frameHashBytes; at += frameHashBytes) {
    const [one, other] = [a, b].map((hashes) => hashes.subarray(at, at + frameHashBytes));
    const isFlat = [one, other].map((hash) => hash?.every((byte) => byte === 0) ?? true);
    if (one === undefined || other === undefined || isFlat.every(Boolean)) continue;
    counted += 1;
    if (!isFlat.some(Boolean) && distanceOf(one, other) <= maxDistance) matches += 1;
  }
  return matches >= minMatches && matches >= minShare * counted;
}

function distanceOf(a: Buffer, b: Buffer): number {
  let bits = 0;
  for (const [at, byte] of a.entries()) {
    for (let rest = byte ^ (b[at] ?? 0); rest > 0; rest &= rest - 1) bits += 1;
  }
  return bits;
}
