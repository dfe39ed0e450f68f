import type { ClipSpec } from "../clip.ts";
import { bend, kaleidoscope, palette, square, wideSoft } from "../filter-graphs.ts";

/**
 * Zooms slowly into the Mandelbrot set. Uses only the slowest of the source's three sine waves,
 * which counts iterations, as a grey to be coloured.
 */
function zoom(
  size: { width: number; height: number; fps: number },
  at: { x: number; y: number; from: number; to: number; seconds: number; maxiter: number },
): string {
  return (
    `mandelbrot=s=${size.width}x${size.height}:r=${size.fps}:maxiter=${at.maxiter}:` +
    `start_x=${at.x}:start_y=${at.y}:start_scale=${at.from}:end_scale=${at.to}:` +
    `end_pts=${at.seconds * size.fps}:inner=black,format=gbrp,extractplanes=g`
  );
}

const halfWide = { width: 640, height: 360, fps: 24 };
const shore = palette(
  "#04060c 0, #04060c 0.45, #0b1f4d 0.5, #14588f 0.6, #2a9d9b 0.68, #e9d8a6 0.76, #ee9b00 0.83, #9b2f12 0.88, #1a0a12 0.94, #04060c 1",
  8,
);
const glass = palette(
  "#05060f 0, #05060f 0.45, #1a1f5e 0.5, #2c4fb0 0.58, #26a7b8 0.64, #f6efcf 0.7, #f0a13a 0.76, #c8283c 0.82, #5a1440 0.88, #05060f 0.95, #05060f 1",
  8,
);

const petals = kaleidoscope(9, 0.66);

export const fractalClips: ClipSpec[] = [
  {
    slug: "seahorse-valley-at-low-tide",
    title: "Seahorse Valley at Low Tide",
    description:
      "A patient descent along the edge of the Mandelbrot set, towards the spirals that sailors of arithmetic call the seahorses. Every shore has a smaller shore on it.",
    categories: ["Fractals", "Slow"],
    tags: ["mandelbrot", "zoom", "spirals", "mathematics", "ambient"],
    actors: ["Orrery", "Vela Marsh"],
    ageDays: 70,
    views: 18_400,
    likeRate: 0.061,
    frame: wideSoft,
    durationS: 8,
    graph:
      `${zoom(halfWide, { x: -0.743643887037151, y: -0.13182590420533, from: 0.2, to: 0.0016, seconds: 8, maxiter: 230 })},` +
      `gblur=sigma=0.6:steps=1,scale=960:540:flags=bicubic,format=yuv420p,${shore}[v]`,
    sound: "undertow",
  },
  {
    slug: "rose-window-for-no-church",
    title: "Rose Window for No Church",
    description:
      "Nine mirrors around a fractal that slowly opens. Light comes through from nowhere in particular.",
    categories: ["Fractals", "Optical"],
    tags: ["kaleidoscope", "mandelbrot", "mirror", "symmetry"],
    actors: ["Glasshouse", "Orrery"],
    isPremium: true,
    ageDays: 11,
    views: 9_800,
    likeRate: 0.083,
    frame: square,
    durationS: 8,
    graph:
      `${zoom({ width: 400, height: 400, fps: 24 }, { x: -0.743643887037151, y: -0.13182590420533, from: 0.012, to: 0.0009, seconds: 8, maxiter: 230 })},` +
      `gblur=sigma=0.7:steps=1,scale=720:720:flags=bicubic[texture];${bend(square, 720, petals.u, petals.v, { kind: "gray", step: 2 })},format=yuv420p,${glass}[v]`,
    sound: "lantern",
  },
];
