/**
 * Building blocks of the clips' filter graphs. Two methods keep them cheap. A field (any smooth
 * function of position and time) is computed on a few thousand points, scaled up in 12 bits and then
 * coloured, so that sharp contour lines cost almost nothing. A map, computed once for one frame,
 * distorts a small moving texture into a tunnel, a kaleidoscope or a spiral.
 */

export interface Frame {
  width: number;
  height: number;
  fps: number;
}

export const wide: Frame = { width: 1280, height: 720, fps: 24 };
export const tall: Frame = { width: 720, height: 1280, fps: 24 };
export const square: Frame = { width: 720, height: 720, fps: 24 };
/** For images without edges, where more pixels would add no detail. */
export const wideSoft: Frame = { width: 960, height: 540, fps: 24 };
export const tallSoft: Frame = { width: 540, height: 960, fps: 24 };
/** For soft images that move slowly, where more frames would add nothing either. */
export const wideSlow: Frame = { ...wideSoft, fps: 12 };
export const tallSlow: Frame = { ...tallSoft, fps: 12 };

/** Colour as `#rrggbb` at a position between 0 and 1. */
type Stop = readonly [at: number, colour: string];
/** Stops, also as a text like in CSS, such as `#102030 0, #f0e0c0 1`. */
export type Gradient = string | readonly Stop[];

const stopsOf = (gradient: Gradient): readonly Stop[] =>
  typeof gradient !== "string"
    ? gradient
    : gradient.split(", ").map((stop): Stop => {
        const [colour = "", at] = stop.split(" ");
        return [Number(at), colour];
      });

const even = (value: number): number => Math.max(2, Math.round(value / 2) * 2);
const short = (value: number): string => String(Math.round(value * 100_000) / 100_000);

/**
 * Expands x and y (units of the shorter side, from the middle), a and d (angle and distance), t and
 * tau in an expression. The result is in ld(9), because functions such as `clip` evaluate their
 * arguments twice.
 */
function expand(expression: string, width: number, height: number): string {
  const unit = 1 / Math.min(width, height);
  const axis = (name: string, length: number): string =>
    `${name}*${unit.toFixed(8)}-${(((length - 1) / 2) * unit).toFixed(6)}`;
  const expanded = expression
    .replace(/\bx\b/g, "ld(0)")
    .replace(/\by\b/g, "ld(1)")
    .replace(/\ba\b/g, "ld(2)")
    .replace(/\bd\b/g, "ld(3)")
    .replace(/\bt\b/g, "T")
    .replace(/\btau\b/g, "6.2831853");
  const statements = [`st(0,${axis("X", width)})`, `st(1,${axis("Y", height)})`];
  if (expanded.includes("ld(2)")) statements.push("st(2,atan2(ld(1),ld(0)))");
  if (expanded.includes("ld(3)")) statements.push("st(3,hypot(ld(0),ld(1)))");
  const last = expanded.lastIndexOf(";") + 1;
  return `${statements.join(";")};${expanded.slice(0, last)}st(9,${expanded.slice(last)})`;
}

/**
 * Returns a moving grey field, 0 to 1, that lasts `seconds`. It has about `points` points along the
 * longer side and is enlarged to the frame. It is computed `momentsPerS` times a second and blended
 * in between. Ends in yuv420p12, ready for `palette`.
 */
export function field(
  frame: Frame,
  seconds: number,
  expression: string,
  points = 160,
  momentsPerS = 8,
): string {
  const scale = points / Math.max(frame.width, frame.height);
  const width = even(frame.width * scale);
  const height = even(frame.height * scale);
  const lum = `${expand(expression, width, height)};4095*clip(ld(9),0,1)`;
  // Blending the field before colouring it makes edges move instead of fade.
  const moments =
    frame.fps <= momentsPerS
      ? [
          `nullsrc=s=${width}x${height}:r=${frame.fps}:d=${seconds},format=gray12le,geq=lum='${lum}'`,
        ]
      : [
          `nullsrc=s=${width}x${height}:r=${momentsPerS}:d=${seconds + 0.5}`,
          "format=yuv420p12le",
          `geq=lum='${lum}':cb=2048:cr=2048`,
          `framerate=fps=${frame.fps}:interp_start=0:interp_end=255:flags=0`,
          "extractplanes=y",
        ];
  return [
    ...moments,
    `scale=${frame.width}:${frame.height}:flags=bicubic`,
    "format=yuv420p12le",
  ].join(",");
}

interface Lab {
  l: number;
  a: number;
  b: number;
}

const toLinear = (value: number): number =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
const toGamma = (value: number): number => {
  const clamped = Math.min(Math.max(value, 0), 1);
  return clamped <= 0.0031308 ? clamped * 12.92 : 1.055 * clamped ** (1 / 2.4) - 0.055;
};

/** Converts sRGB hex to OKLab (Ottosson 2020), where blends of two colours stay vivid. */
function toLab(hex: string): Lab {
  const bits = Number.parseInt(hex.slice(1), 16);
  const r = toLinear(((bits >> 16) & 255) / 255);
  const g = toLinear(((bits >> 8) & 255) / 255);
  const b = toLinear((bits & 255) / 255);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {
    l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    a: 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    b: 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  };
}

/** Converts OKLab to BT.709 Y'CbCr of limited range, as 8-bit numbers (not yet rounded). */
function toYuv(lab: Lab): [number, number, number] {
  const l = (lab.l + 0.3963377774 * lab.a + 0.2158037573 * lab.b) ** 3;
  const m = (lab.l - 0.1055613458 * lab.a - 0.0638541728 * lab.b) ** 3;
  const s = (lab.l - 0.0894841775 * lab.a - 1.291485548 * lab.b) ** 3;
  const r = toGamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  const g = toGamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  const b = toGamma(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s);
  const y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return [16 + 219 * y, 128 + (224 * (b - y)) / 1.8556, 128 + (224 * (r - y)) / 1.5748];
}

/**
 * Returns a tree of `if`s that finds the piece of a broken line. Points are [at, value], ascending.
 */
function brokenLine(points: readonly (readonly [number, number])[]): string {
  const piece = (from: number, to: number): string => {
    if (to - from > 1) {
      const middle = Math.floor((from + to) / 2);
      const at = points[middle]?.[0] ?? 0;
      return `if(lt(ld(0),${short(at)}),${piece(from, middle)},${piece(middle, to)})`;
    }
    const [x0, y0] = points[from] ?? [0, 0];
    const [x1, y1] = points[to] ?? [1, y0];
    const slope = (y1 - y0) / Math.max(x1 - x0, 1e-6);
    return `${short(y0)}+(ld(0)-${short(x0)})*${short(slope)}`;
  };
  return piece(0, points.length - 1);
}

/**
 * Colours a grey image by its brightness, blending in OKLab. `depth` 12 follows `field`, 8 follows
 * ordinary images; `input` is the source of the grey image, because converted grey has a limited range.
 */
export function palette(gradient: Gradient, depth: 8 | 12 = 12): string {
  const stops = stopsOf(gradient);
  const fine: [number, Lab][] = [];
  stops.forEach(([at, colour], index) => {
    const next = stops[index + 1];
    const from = toLab(colour);
    fine.push([at, from]);
    if (next === undefined || next[0] - at < 0.02) return;
    const to = toLab(next[1]);
    for (let step = 1; step < 5; step++) {
      const p = step / 5;
      fine.push([
        at + (next[0] - at) * p,
        { l: mix(from.l, to.l, p), a: mix(from.a, to.a, p), b: mix(from.b, to.b, p) },
      ]);
    }
  });
  const unit = depth === 12 ? 16 : 1;
  const planes = [0, 1, 2].map((plane) => {
    const line = brokenLine(fine.map(([at, lab]) => [at, (toYuv(lab)[plane] ?? 0) * unit]));
    return `c${plane}='st(0,clip((val-${16 * unit})/${219 * unit},0,1));${line}'`;
  });
  // Names the colour space. Otherwise ffmpeg assumes BT.601 and converts again.
  return `pseudocolor=${planes.join(":")},setparams=range=tv:colorspace=bt709`;
}

const mix = (from: number, to: number, p: number): number => from + (to - from) * p;

/**
 * Returns one still frame of numbers for `remap`, which say which source pixel each output pixel
 * shows.
 */
function map(frame: Frame, expression: string, limit: number, step: number): string {
  const width = frame.width / step;
  const height = frame.height / step;
  return (
    `nullsrc=s=${width}x${height}:r=1:d=1,format=gray16le,` +
    `geq=lum='${expand(expression, width, height)};clip(${limit}*ld(9),0,${limit - 1})'` +
    (step === 1 ? "" : `,scale=${frame.width}:${frame.height}:flags=bilinear`)
  );
}

/**
 * Bends the texture labelled `[texture]` (`size` points square, yuv444p or grey) by two still maps. `u`
 * and `v` are the texture coordinates, from 0 to 1, of each point of the frame. Maps without jumps can
 * be computed for every `step`th point only.
 */
export function bend(
  frame: Frame,
  size: number,
  u: string,
  v: string,
  { kind = "color", step = 1 }: { kind?: "color" | "gray"; step?: number } = {},
): string {
  return [
    `${map(frame, u, size, step)}[u]`,
    `${map(frame, v, size, step)}[v]`,
    `[texture][u][v]remap=format=${kind}`,
  ].join(";");
}

/**
 * Makes a square grey texture for `bend` from a field. Colours are applied after the distortion.
 */
export function greyTexture(
  size: number,
  fps: number,
  seconds: number,
  expression: string,
  points = 128,
): string {
  const source = field({ width: size, height: size, fps }, seconds, expression, points);
  return `${source.slice(0, source.lastIndexOf(","))}[texture]`;
}

/**
 * Makes a still square texture that moves by whole periods, `turnsX` and `turnsY` in `seconds`, so
 * that it loops.
 */
export function slidingTexture(
  size: number,
  fps: number,
  seconds: number,
  expression: string,
  stops: Gradient,
  turnsX: number,
  turnsY: number,
): string {
  const source = field({ width: size, height: size, fps: 1 }, 1, expression, size);
  const slide = (turns: number): string => String(turns / (seconds * fps));
  return (
    `${source.replace(/yuv420p12le$/, "yuv444p12le")},${palette(stops)},format=yuv444p,` +
    `loop=${Math.round(seconds * fps) - 1}:1,setpts=N/${fps}/TB,fps=${fps},` +
    `scroll=h=${slide(turnsX)}:v=${slide(turnsY)}[texture]`
  );
}

/**
 * Folds the angle into `petals` mirrored sectors, for `u` and `v` of `bend`. The source's centre is
 * (cx, cy).
 */
export function kaleidoscope(petals: number, zoom = 0.5): { u: string; v: string } {
  const angle = `abs(mod(a+6.2831853*4,6.2831853/${petals})-3.14159265/${petals})`;
  return {
    u: `clip(0.5+${zoom}*d*cos(${angle}),0,0.999)`,
    v: `clip(0.5+${zoom}*d*sin(${angle}),0,0.999)`,
  };
}

/**
 * Returns statements that store softly distorted coordinates in ld(4) and ld(5), for marble, silk
 * or smoke. The distortion makes whole turns per `seconds`, so that it loops.
 */
export function stir(zoom: number, strength: number, seconds: number, rounds = 3): string {
  const parts = [`st(8,t*${short(6.2831853 / seconds)})`, `st(4,x*${zoom})`, `st(5,y*${zoom})`];
  for (let round = 0; round < rounds; round++) {
    const f = 1 + 0.37 * round;
    const amount = short(strength / f);
    parts.push(`st(4,ld(4)+${amount}*sin(ld(5)*${short(f)}+ld(8)+${short(round * 1.7)}))`);
    parts.push(`st(5,ld(5)+${amount}*sin(ld(4)*${short(f)}-ld(8)+${short(round * 2.3)}))`);
  }
  return `${parts.join(";")};`;
}
/** Returns bands of flat colour with a shadow along one edge, like cut paper, for `palette`. */
export function paper(colours: readonly string[], shadow = 0.55): Stop[] {
  const step = 1 / colours.length;
  return colours.flatMap((colour, index): Stop[] => [
    [index * step, index === 0 ? colour : darker(colour, shadow)],
    [(index + 0.38) * step, colour],
    [(index + 1) * step - 0.004, colour],
  ]);
}

/** Returns thin lines at equal heights over a slowly changing ground, like a map, for `palette`. */
export function contours(
  ground: readonly string[],
  line: string,
  count: number,
  width = 0.006,
): Stop[] {
  return Array.from({ length: count }, (_, index): Stop[] => {
    const middle = (index + 0.5) / count;
    const at = Math.round(((index + 0.5) / count) * (ground.length - 1));
    const colour = ground[at] ?? "#000000";
    const half = 0.5 / count;
    return [
      [middle - half, colour],
      [middle - width, colour],
      [middle - width * 0.4, line],
      [middle + width * 0.4, line],
      [middle + width, colour],
    ];
  }).flat();
}

function darker(colour: string, factor: number): string {
  const bits = Number.parseInt(colour.slice(1), 16);
  const part = (shift: number): number => Math.round(((bits >> shift) & 255) * factor);
  return `#${((part(16) << 16) | (part(8) << 8) | part(0)).toString(16).padStart(6, "0")}`;
}
