import type { ClipSpec } from "../clip.ts";
import {
  bend,
  greyTexture,
  kaleidoscope,
  palette,
  slidingTexture,
  stir,
  tall,
  tallSoft,
  wide,
} from "../filter-graphs.ts";

const mandala = kaleidoscope(6, 0.48);

export const opticalClips: ClipSpec[] = [
  {
    slug: "mandala-for-the-night-bus",
    title: "Mandala for the Night Bus",
    description: "Fits in one hand. Best held level in the curves.",
    categories: ["Optical", "Slow"],
    tags: ["night walks", "mandala", "kaleidoscope", "vertical", "night"],
    actors: ["Glasshouse", "Nine Lanterns"],
    ageDays: 4,
    views: 18_800,
    likeRate: 0.095,
    frame: tallSoft,
    durationS: 24,
    loopS: 6,
    graph:
      `${greyTexture(600, 24, 6, `${stir(5, 1.3, 6)}0.5+0.5*sin(2.6*ld(4)-2*ld(5)+6*d)`, 120)};` +
      `${bend(tallSoft, 600, mandala.u, mandala.v, { kind: "gray", step: 2 })},format=yuv420p12le,${palette("#060914 0, #12305a 0.25, #1c8a9c 0.45, #f2d98d 0.6, #e8703a 0.72, #6b1d4e 0.86, #0b0718 1")}[v]`,
    sound: "lantern",
  },
  {
    slug: "tunnel-under-the-harbor",
    title: "Tunnel Under the Harbor",
    description: "Between the two ends there is no signal and, for twelve seconds, no hurry.",
    categories: ["Optical", "Light"],
    tags: ["night walks", "tunnel", "flight", "neon", "vertical", "loop"],
    actors: ["Nine Lanterns", "Parallel Ferns"],
    ageDays: 14,
    views: 25_200,
    likeRate: 0.086,
    frame: tall,
    durationS: 12,
    loopS: 3,
    graph:
      `${slidingTexture(
        512,
        24,
        3,
        "st(6,0.5-abs(mod(x*8+8.5,1)-0.5));st(7,0.5-abs(mod(y*8+8.5,1)-0.5));0.55*exp(-14*ld(7))+0.5*exp(-16*ld(6))+0.25*lt(mod(floor(x*8+8)*3+floor(y*8+8)*5,7),2)",
        "#050714 0, #101b46 0.25, #174ea6 0.5, #35e0e6 0.75, #f2ffff 1",
        0,
        1,
      )};` +
      `${bend(tall, 512, "mod(a/6.2831853+1.5+0.12*log(d+0.05),1)", "mod(0.22/(d+0.012)+0.0,1)")},format=yuv420p[t];` +
      `nullsrc=s=180x320:r=1:d=1,format=yuva420p,geq=lum=20:cb=134:cr=124:a='255*clip(1.25-hypot(X-90,Y-160)/52,0,1)',scale=720:1280[fog];[t][fog]overlay[v]`,
    sound: "stairwell",
  },
  {
    slug: "night-drive-without-a-road",
    title: "Night Drive Without a Road",
    description: "Thirty seconds of stars at a speed that the manual advises against.",
    categories: ["Optical", "Light"],
    tags: ["night walks", "stars", "space", "flight", "loop"],
    actors: ["Paper Comet", "Hollow Moon"],
    ageDays: 79,
    views: 20_400,
    likeRate: 0.059,
    frame: wide,
    durationS: 32,
    loopS: 4,
    graph: starfield(),
    sound: "undertow",
  },
];

/** Stars on the inside of a tube: near ones pass faster than far ones. */
function starfield(): string {
  const seconds = 4;
  const layer = (name: string, density: number, turns: number, colour: string): string =>
    `nullsrc=s=512x512:r=1:d=1,format=gray,geq=lum='if(lt(random(1),${density}),140+115*random(1),0)',` +
    `gblur=sigma=0.9,geq=lum='min(255,lum(X,Y)*5)',format=gbrp,${colour},format=yuv444p,` +
    `loop=${seconds * 24 - 1}:1,setpts=N/24/TB,fps=24,scroll=v=${-turns / (seconds * 24)}[${name}]`;
  return [
    layer("near", 0.0012, 2, "colorchannelmixer=rr=1:gg=0.93:bb=0.82"),
    layer("far", 0.0035, 1, "colorchannelmixer=rr=0.42:gg=0.5:bb=0.72"),
    "[near][far]blend=all_mode=lighten[texture]",
    `${bend(wide, 512, "mod(a/6.2831853+1.5,1)", "mod(log(d+0.001)*0.4+20,1)")},format=yuv420p[s]`,
    "nullsrc=s=320x180:r=1:d=1,format=yuva420p,geq=lum='20+50*exp(-hypot(X-160,Y-90)/30)':cb=150:cr=122:a='255*clip(1.1-hypot(X-160,Y-90)/65,0,0.96)',scale=1280:720[fog]",
    "[s][fog]overlay[v]",
  ].join(";");
}
