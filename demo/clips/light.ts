import type { ClipSpec } from "../clip.ts";
import {
  bend,
  field,
  palette,
  slidingTexture,
  tallSoft,
  wide,
  type Frame,
} from "../filter-graphs.ts";

/** Curtains of light with a sharp lower hem, over dark hills. */
const aurora = (seconds: number): string => {
  const turn = (6.2831853 / seconds).toFixed(5);
  const curtain = (shift: number, height: number): string =>
    `st(6,${height}+0.10*sin(2.2*x+${shift}+t*${turn})+0.05*sin(5.1*x-t*${turn}+${shift}));` +
    `st(7,(0.62+0.38*sin(31*x+4*sin(3*x+t*${turn}+${shift})))*(0.7+0.3*sin(3*x-t*${turn}*2+${shift})));` +
    `st(5,ld(5)+ld(7)*if(lt(y,ld(6)),exp(-3.1*(ld(6)-y)),exp(-24*(y-ld(6)))))`;
  return `st(5,0);${curtain(0, 0.12)};${curtain(2.4, -0.04)};0.07+0.62*ld(5)`;
};

const northern = palette(
  "#03050b 0, #05070f 0.05, #0b1230 0.07, #2a1f63 0.25, #10695f 0.45, #37e39a 0.7, #c7ffd9 0.88, #f6fff2 1",
);

/**
 * One still frame with stars above and hills below, to overlay on the sky. `hills` is a height from 0
 * to 1.
 */
const landscape = (frame: Frame, hills: string): string =>
  `nullsrc=s=${frame.width}x${frame.height}:r=1:d=1,format=yuva420p,geq=lum='if(gt(Y/H,${hills}),18,235)':cb=131:cr=126:` +
  `a='if(gt(Y/H,${hills}),255,if(lt(random(1),0.0016*(1.1-Y/H)),90+165*random(1),0))'[land]`;

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
    layer("near", 90, 35, "colorchannelmixer=rr=1:gg=0.62:bb=0.26", 2, 3),
    layer("mid", 54, 21, "colorchannelmixer=rr=0.95:gg=0.30:bb=0.38", 1, 8),
    layer("far", 30, 11, "colorchannelmixer=rr=0.30:gg=0.55:bb=0.90", 1, 21),
    `${field(frame, seconds, "0.4+0.3*y+0.1*sin(2*x+tau*t/8)", 60)},${palette("#080b1c 0, #24143f 0.5, #5a2440 1")},format=gbrp[ground]`,
    "[ground][far]blend=all_mode=screen[one];[one][mid]blend=all_mode=screen[two];[two][near]blend=all_mode=screen[v]",
  ].join(";");
}

const half: Frame = { ...wide, height: 360 };

export const lightClips: ClipSpec[] = [
  {
    slug: "northern-static",
    title: "Northern Static",
    description:
      "Curtains over a valley with nobody awake in it. The sound is the snow, more or less.",
    categories: ["Light", "Slow"],
    tags: ["aurora", "night", "stars", "winter", "ambient"],
    actors: ["Hollow Moon", "Low Tide Lab"],
    ageDays: 21,
    views: 31_600,
    likeRate: 0.087,
    frame: wide,
    durationS: 120,
    loopS: 10,
    graph:
      `${field(wide, 10, aurora(10), 130)},${northern},format=yuv420p[sky];` +
      `${landscape(wide, "0.86+0.03*sin(X/210+1)+0.022*sin(X/71)+0.008*sin(X/23)+0.004*sin(X/9)")};[sky][land]overlay[v]`,
    sound: "nave",
  },
  {
    slug: "green-curtain-going-up",
    title: "Green Curtain, Going Up",
    description: "A theatre of one act, performed above the tree line.",
    categories: ["Light"],
    tags: ["aurora", "night", "vertical", "winter"],
    actors: ["Hollow Moon"],
    ageDays: 1,
    views: 9_100,
    likeRate: 0.102,
    frame: tallSoft,
    durationS: 9,
    graph:
      `${field(tallSoft, 9, aurora(9).replaceAll("exp(-3.1*", "exp(-1.9*"), 120)},${northern},format=yuv420p[sky];` +
      `${landscape(tallSoft, "0.87+0.03*sin(X/160+2)-0.05*abs(mod(X/41+0.3*sin(X/60),1)-0.5)*(0.6+0.4*sin(X/33))")};[sky][land]overlay[v]`,
    sound: "nave",
  },
  {
    slug: "city-seen-through-tears-of-laughter",
    title: "City, Seen Through Tears of Laughter",
    description: "All the windows at once, and none of them in focus.",
    categories: ["Light"],
    tags: ["bokeh", "city", "night", "vertical", "warm"],
    actors: ["Nine Lanterns"],
    ageDays: 10,
    views: 17_500,
    likeRate: 0.09,
    frame: tallSoft,
    durationS: 24,
    loopS: 8,
    graph: bokeh(tallSoft, 8),
    sound: "afterhours",
  },
  {
    slug: "sunset-protocol",
    title: "Sunset Protocol",
    description: "A road, a grid, a sun with the blinds half down. Keep driving.",
    categories: ["Light", "Geometry"],
    tags: ["retro", "grid", "sunset", "synthwave", "loop"],
    actors: ["Parallel Ferns"],
    ageDays: 14,
    views: 36_900,
    likeRate: 0.078,
    frame: wide,
    durationS: 32,
    loopS: 4,
    graph: [
      `${field({ ...half, fps: 1 }, 1, "st(6,hypot(x,y-0.28));st(7,mod(0.28-y+1,0.07+0.0001)-0.012-0.05*max(0,y+0.1));if(lt(ld(6),0.56)*gt(ld(7),0),0.56+0.44*clip((0.5-y)/0.85,0,1),0.02+0.47*clip(0.5+y,0,1))", 1280)},` +
        `${palette("#0b0524 0, #2a0e52 0.2, #7a1a78 0.38, #ff5fa0 0.5, #ff5fa0 0.54, #ff2e7e 0.56, #ff8a4a 0.75, #ffe27a 1")},format=yuv444p,loop=95:1,setpts=N/24/TB,fps=24[sky]`,
      slidingTexture(
        256,
        24,
        4,
        "st(6,0.5-abs(mod(x*4+8.5,1)-0.5));st(7,0.5-abs(mod(y*4+8.5,1)-0.5));st(6,min(ld(6),ld(7)));exp(-26*ld(6))",
        "#0a0520 0, #2a0f5a 0.2, #d13bd8 0.6, #a8f4ff 1",
        0,
        -2,
      ),
      `${bend(half, 256, "if(lt(y,-0.43),0.62,mod(x/(y+0.56)*1.1+40.5,1))", "if(lt(y,-0.43),0.625,mod(0.6/(y+0.56),1))")}[floor]`,
      "[sky][floor]vstack[v]",
    ].join(";"),
    sound: "afterhours",
  },
  {
    slug: "eclipse-for-two",
    title: "Eclipse for Two",
    description: "Bring somebody. It does not take long, and one should not look at it alone.",
    categories: ["Light"],
    tags: ["eclipse", "sun", "corona", "vertical", "space"],
    actors: ["Hollow Moon", "Atelier Umbra"],
    ageDays: 17,
    views: 8_700,
    likeRate: 0.074,
    frame: tallSoft,
    durationS: 9,
    graph:
      `${field(tallSoft, 9, "st(6,a+0.25*sin(3*d-tau*t/9));st(7,0.5+0.2*sin(5*ld(6)+tau*t/9)+0.16*sin(9*ld(6)-2*tau*t/9)+0.12*sin(17*ld(6)+tau*t/9));clip(pow(0.255/max(d,0.2),3.4-1.8*ld(7))*(1.02-0.16*ld(7)),0,1)", 150)},` +
      `${palette("#030308 0, #0a0a1c 0.06, #33204a 0.25, #b8503f 0.5, #ffb45c 0.72, #fff1c4 0.9, #ffffff 1")},format=yuv420p[sun];` +
      "nullsrc=s=540x960:r=1:d=1,format=yuva420p,geq=lum=18:cb=129:cr=127:a='255*clip(141-hypot(X-270,Y-480),0,1)'[moon];[sun][moon]overlay[v]",
    sound: "undertow",
  },
];
