import type { ClipSpec } from "./clip.ts";
import { automataClips } from "./clips/automata.ts";
import { fractalClips } from "./clips/fractals.ts";
import { geometryClips } from "./clips/geometry.ts";
import { gradientClips } from "./clips/gradients.ts";
import { lightClips } from "./clips/light.ts";
import { musicClips } from "./clips/music.ts";
import { noiseClips } from "./clips/noise.ts";
import { opticalClips } from "./clips/optical.ts";
import { waveClips } from "./clips/waves.ts";

/** The demonstration catalogue. */
export const clips: readonly ClipSpec[] = [
  ...fractalClips,
  ...gradientClips,
  ...automataClips,
  ...musicClips,
  ...waveClips,
  ...noiseClips,
  ...geometryClips,
  ...opticalClips,
  ...lightClips,
];
