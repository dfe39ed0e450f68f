/** Size of the samples by which frames are compared. */
export const sampleSize = { width: 160, height: 90 };
/** Frames of one sample: a cut or a fade shows in how they differ. */
export const sampleFrames = 3;
const frameBytes = sampleSize.width * sampleSize.height * 3;

/** Brightness, 0 to 255: darker is black, brighter white, and less spread is one color. */
const tooDark = 24;
const tooBright = 235;
const tooPlain = 10;
/** Frames a moment apart that differ by more are of a cut, a fade, or blurred by motion. */
const steadyChange = 12;

/**
 * How well a frame would do as the picture of its video: sharp, colorful, neither black nor white nor
 * in the middle of a cut. Higher is better; null for a sample without a frame.
 * @param sample frames in RGB, a moment apart; the first one is judged.
 */
export function scoreFrame(sample: Uint8Array): number | null {
  if (sample.length < frameBytes) return null;
  const frame = sample.subarray(0, frameBytes);
  const grey = toGrey(frame);
  const { mean, spread } = brightnessOf(grey);
  const isPoor = mean < tooDark || mean > tooBright || spread < tooPlain;
  // Twice as many details are less than twice as good: noise has most of them.
  const detail = Math.sqrt(sharpnessOf(grey)) * (1 + colorfulnessOf(frame) / 60);
  const last = sample.subarray(Math.floor(sample.length / frameBytes - 1) * frameBytes);
  const change = differenceOf(grey, toGrey(last.subarray(0, frameBytes)));
  return (isPoor ? 0.01 : 1) * detail * Math.min(1, steadyChange / Math.max(change, 1));
}

/** Brightness of the pixels of a frame in RGB. */
export function toGrey(frame: Uint8Array): Float32Array {
  const grey = new Float32Array(frame.length / 3);
  for (let i = 0; i < grey.length; i += 1) {
    const [r = 0, g = 0, b = 0] = [frame[i * 3], frame[i * 3 + 1], frame[i * 3 + 2]];
    grey[i] = 0.299 * r + 0.587 * g + 0.114 * b;
  }
  return grey;
}

function brightnessOf(grey: Float32Array): { mean: number; spread: number } {
  const mean = grey.reduce((sum, value) => sum + value, 0) / grey.length;
  const variance = grey.reduce((sum, value) => sum + (value - mean) ** 2, 0) / grey.length;
  return { mean, spread: Math.sqrt(variance) };
}

/** Mean difference of neighbours, which blur makes small. */
function sharpnessOf(grey: Float32Array): number {
  const { width } = sampleSize;
  let sum = 0;
  for (let i = width + 1; i < grey.length; i += 1) {
    const here = grey[i] ?? 0;
    sum += Math.abs(here - (grey[i - 1] ?? 0)) + Math.abs(here - (grey[i - width] ?? 0));
  }
  return sum / grey.length;
}

/** Mean distance of the colors from grey. */
function colorfulnessOf(frame: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < frame.length; i += 3) {
    const [r = 0, g = 0, b = 0] = [frame[i], frame[i + 1], frame[i + 2]];
    sum += Math.max(r, g, b) - Math.min(r, g, b);
  }
  return sum / (frame.length / 3);
}

function differenceOf(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] ?? 0)), 0) / a.length;
}
