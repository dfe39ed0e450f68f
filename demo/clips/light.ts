import type { ClipSpec } from "../clip.ts";
import { field, palette, tallSoft, type Frame } from "../filter-graphs.ts";

/** Soft discs on a tile, three sizes, rising at three speeds. */
function bokeh(frame: Frame, seconds: number): string {
  const layer = (
    name: string,
    cell: number,
    radius: number,
    colour: string,
    turns: number,
    seed: number,
  ): string => {
    const w = frame.width / 2;
    const h = frame.height / 2;
    const hash = (k: number): string =>
      `mod(abs(sin(ld(0)*${12.9898 + k}+ld(1)*${78.233 + k * 3}+${seed})*43758.5),1)`;
    return (
      `nullsrc=s=${w}x${h}:r=1:d=1,format=gray,geq=lum='st(0,floor(X/${cell}));st(1,floor(Y/${cell}));` +
      `st(2,mod(X,${cell})-${cell}*(0.4+0.2*${hash(1)}));st(3,mod(Y,${cell})-${cell}*(0.4+0.2*${hash(2)}));` +
      `st(4,${radius}*(0.55+0.45*${hash(3)}));st(5,hypot(ld(2),ld(3)));` +
      `255*lt(${hash(4)},0.8)*clip((ld(4)-ld(5))/2.5,0,1)*(0.5+0.4*pow(ld(5)/ld(4),5))*(0.45+0.55*${hash(5)})',` +
      `scale=${frame.width}:${frame.height}:flags=bicubic,format=gbrp,${colour},` +
      `loop=${seconds * frame.fps - 1}:1,setpts=N/${frame.fps}/TB,fps=${frame.fps},scroll=v=${turns / (seconds * frame.fps)}[${name}]`
    );
  };
  return [
    layer("near", 96, 35, "colorchannelmixer=rr=1:gg=0.62:bb=0.26", 2, 3),
    layer("mid", 60, 21, "colorchannelmixer=rr=0.95:gg=0.30:bb=0.38", 1, 8),
    layer("far", 30, 11, "colorchannelmixer=rr=0.30:gg=0.55:bb=0.90", 1, 21),
    `${field({ ...frame, fps: 1 }, 1, "0.4+0.3*y+0.1*sin(2*x)", 60)},${palette("#080b1c 0, #24143f 0.5, #5a2440 1")},format=gbrp[ground]`,
    "[far][ground]blend=all_mode=screen[one];[one][mid]blend=all_mode=screen[two];[two][near]blend=all_mode=screen[v]",
  ].join(";");
}

export const lightClips: ClipSpec[] = [
  {
    slug: "city-seen-through-tears-of-laughter",
    title: "City, Seen Through Tears of Laughter",
    description: "All the windows at once, and none of them in focus.",
    categories: ["Light"],
    tags: ["night walks", "bokeh", "city", "night", "vertical", "warm"],
    actors: ["Nine Lanterns"],
    ageDays: 22,
    views: 17_500,
    likeRate: 0.09,
    frame: tallSoft,
    durationS: 24,
    loopS: 8,
    graph: bokeh(tallSoft, 8),
    sound: "afterhours",
  },
];
