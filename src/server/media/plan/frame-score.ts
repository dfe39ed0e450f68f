/** Size of the samples used to compare frames. */
export const sampleSize = { width: 160, height: 90 };
/** Number of frames per sample. Their difference reveals a cut or a fade. */
export const sampleFrames = 3;
const frameBytes = sampleSize.width * sampleSize.height * 3;

/**
 * A frame is black or white if its brightness, 0 to 255, is outside these bounds. It is plain if
 * its brightness varies by less than the minimum.
 */
const tooDark = 24;
const tooBright = 235;
const tooPlain = 10;
/**
 * Maximum difference between neighbouring frames. If it is larger, there is a cut, a fade or motion
 * blur.
 */
const steadyChange = 12;

/**
 * Rates how well a frame represents a video. It should be sharp, colorful, not black or white, and
 * not in a cut. Higher is better. Returns null for a sample without a frame.
 * @param sample frames in RGB, a moment apart. The first one is rated.
 */
export function scoreFrame(sample: Uint8Array): number | null {
  if (sample.length < frameBytes) return null;
  const frame = sample.subarray(0, frameBytes);
  const grey = toGrey(frame);
  const { mean, spread } = measureBrightness(grey);
  const isPoor = mean < tooDark || mean > tooBright || spread < tooPlain;
  // Square root, because twice the detail isn't twice as good. Noise has the most detail.
  const detail = Math.sqrt(measureSharpness(grey)) * (1 + measureColorfulness(frame) / 60);
  const last = sample.subarray(Math.floor(sample.length / frameBytes - 1) * frameBytes);
  const change = measureDifference(grey, toGrey(last.subarray(0, frameBytes)));
  return (isPoor ? 0.01 : 1) * detail * Math.min(1, steadyChange / Math.max(change, 1));
}

/** Returns the brightness of the pixels of a frame in RGB. */
export function toGrey(frame: Uint8Array): Float32Array {
  const grey = new Float32Array(frame.length / 3);
  for (let i = 0; i < grey.length; i += 1) {
    const [r = 0, g = 0, b = 0] = [frame[i * 3], frame[i * 3 + 1], frame[i * 3 + 2]];
    grey[i] = 0.299 * r + 0.587 * g + 0.114 * b;
  }
  return grey;
}

function measureBrightness(grey: Float32Array): { mean: number; spread: number } {
  const mean = grey.reduce((sum, value) => sum + value, 0) / grey.length;
  const variance = grey.reduce((sum, value) => sum + (value - mean) ** 2, 0) / grey.length;
  return { mean, spread: Math.sqrt(variance) };
}

/** Returns the mean difference between neighbouring pixels. Blur reduces it. */
function measureSharpness(grey: Float32Array): number {
  const { width } = sampleSize;
  let sum = 0;
  for (let i = width + 1; i < grey.length; i += 1) {
    const here = grey[i] ?? 0;
    sum += Math.abs(here - (grey[i - 1] ?? 0)) + Math.abs(here - (grey[i - width] ?? 0));
  }
  return sum / grey.length;
}

/** Returns the mean distance of the colors from grey. */
function measureColorfulness(frame: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < frame.length; i += 3) {
    const [r = 0, g = 0, b = 0] = [frame[i], frame[i + 1], frame[i + 2]];
    sum += Math.max(r, g, b) - Math.min(r, g, b);
  }
  return sum / (frame.length / 3);
}

function measureDifference(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] ?? 0)), 0) / a.length;
}
