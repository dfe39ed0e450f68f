import type { ClipSpec } from "../clip.ts";
import {
  bend,
  greyTexture,
  kaleidoscope,
  palette,
  slidingTexture,
  square,
  stir,
  tall,
  tallSoft,
  wide,
  wideSoft,
} from "../filter-graphs.ts";

const sugar = kaleidoscope(8, 0.7);
const mandala = kaleidoscope(6, 0.48);

/** Two sets of fine rings; one of them drifts over the other. */
function moire(width: number, height: number, seconds: number, pitch: number): string {
  const margin = 160;
  const rings = (name: string, phase: number, turns: number): string =>
    `nullsrc=s=${width + margin * 2}x${height + margin * 2}:r=1:d=1,format=gray,geq=lum='127.5+127.5*sin(hypot(X-W/2,Y-H/2)*${pitch})',` +
    `loop=${seconds * 24 - 1}:1,setpts=N/24/TB,fps=24,crop=${width}:${height}:x='${margin}+${margin * 0.9}*sin(2*PI*${turns}*t/${seconds}+${phase})':y='${margin}+${margin * 0.9}*cos(2*PI*t/${seconds}+${phase})'[${name}]`;
  return `${rings("one", 0, 1)};${rings("two", 2.6, 2)};[one][two]blend=all_mode=difference,format=yuv420p`;
}

export const opticalClips: ClipSpec[] = [
  {
    slug: "cathedral-of-sugar",
    title: "Cathedral of Sugar",
    description: "Eight mirrors and a bowl of something sweet, stirred slowly.",
    categories: ["Optical"],
    tags: ["kaleidoscope", "mirror", "pink", "symmetry"],
    actors: ["Glasshouse"],
    ageDays: 32,
    views: 13_100,
    likeRate: 0.069,
    frame: wideSoft,
    durationS: 32,
    loopS: 8,
    graph:
      `${greyTexture(600, 24, 8, `${stir(4.5, 1.2, 8)}0.5+0.5*sin(3*ld(4)+2*ld(5))`, 150)};` +
      `${bend(wideSoft, 600, sugar.u, sugar.v, "gray")},format=yuv420p12le,${palette("#2b0a3d 0, #7b1e7a 0.2, #e85d9e 0.4, #ffc2d4 0.6, #fff3e0 0.75, #7fd8d4 0.9, #1f6f8b 1")}[v]`,
    sound: "waltz",
  },
  {
    slug: "mandala-for-the-night-bus",
    title: "Mandala for the Night Bus",
    description: "Fits in one hand. Best held level in the curves.",
    categories: ["Optical", "Slow"],
    tags: ["mandala", "kaleidoscope", "vertical", "night"],
    actors: ["Glasshouse", "Nine Lanterns"],
    ageDays: 2,
    views: 18_800,
    likeRate: 0.095,
    frame: tallSoft,
    durationS: 24,
    loopS: 8,
    graph:
      `${greyTexture(600, 24, 8, `${stir(5, 1.3, 8)}0.5+0.5*sin(2.6*ld(4)-2*ld(5)+6*d)`, 150)};` +
      `${bend(tallSoft, 600, mandala.u, mandala.v, "gray")},format=yuv420p12le,${palette("#060914 0, #12305a 0.25, #1c8a9c 0.45, #f2d98d 0.6, #e8703a 0.72, #6b1d4e 0.86, #0b0718 1")}[v]`,
    sound: "lantern",
  },
  {
    slug: "spiral-staircase-to-nowhere",
    title: "Spiral Staircase to Nowhere",
    description: "Eight seconds of walking in place. Please hold the rail.",
    categories: ["Optical", "Geometry"],
    tags: ["op art", "spiral", "hypnotic", "black and white"],
    actors: ["Parallel Ferns"],
    isPremium: true,
    ageDays: 18,
    views: 8_900,
    likeRate: 0.062,
    frame: wide,
    durationS: 8,
    loopS: 2,
    graph:
      `${slidingTexture(
        512,
        24,
        2,
        "0.5+0.5*cos(tau*x)",
        "#0d0d12 0, #0d0d12 0.46, #f6efe0 0.54, #f6efe0 1",
        1,
        0,
      )
        .replace("512x512", "512x8")
        .replace("scale=512:512", "scale=512:8")};` +
      `${bend(wide, 512, "mod(a/6.2831853*6+log(d+0.01)*2.2+40,1)", "0.001")}[v]`,
    sound: "phases",
  },
  {
    slug: "two-ponds-one-stone",
    title: "Two Ponds, One Stone",
    description: "Fine rings over fine rings. What moves is in neither of them.",
    categories: ["Optical", "Waves"],
    tags: ["moire", "rings", "op art", "illusion"],
    actors: ["Parallel Ferns", "Hollow Moon"],
    ageDays: 37,
    views: 4_400,
    likeRate: 0.04,
    frame: wide,
    durationS: 16,
    loopS: 8,
    graph: `${moire(1280, 720, 8, 0.115)},${palette(
      "#fff1d6 0, #f7b267 0.18, #e4572e 0.4, #7a1f4b 0.6, #1f2a5a 0.8, #0a0f24 1",
      8,
    )}[v]`,
    sound: "undertow",
  },
  {
    slug: "tunnel-under-the-harbour",
    title: "Tunnel Under the Harbour",
    description: "Between the two ends there is no signal and, for twelve seconds, no hurry.",
    categories: ["Optical", "Light"],
    tags: ["tunnel", "flight", "neon", "vertical", "loop"],
    actors: ["Nine Lanterns", "Parallel Ferns"],
    ageDays: 6,
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
      `nullsrc=s=720x1280:r=1:d=1,format=yuva420p,geq=lum=20:cb=134:cr=124:a='255*clip(1.25-hypot(X-360,Y-640)/210,0,1)'[fog];[t][fog]overlay[v]`,
    sound: "stairwell",
  },
  {
    slug: "night-drive-without-a-road",
    title: "Night Drive Without a Road",
    description: "Thirty seconds of stars at a speed that the manual advises against.",
    categories: ["Optical", "Light"],
    tags: ["stars", "space", "flight", "loop"],
    actors: ["Paper Comet", "Hollow Moon"],
    ageDays: 35,
    views: 20_400,
    likeRate: 0.059,
    frame: wide,
    durationS: 32,
    loopS: 4,
    graph: starfield(),
    sound: "undertow",
  },
  {
    slug: "back-of-a-spoon",
    title: "Back of a Spoon",
    description: "The whole kitchen is in there, and the garden, and you.",
    categories: ["Optical"],
    tags: ["mirror", "reflection", "metal", "square"],
    actors: ["Glasshouse"],
    ageDays: 11,
    views: 2_400,
    likeRate: 0.05,
    frame: square,
    durationS: 12,
    loopS: 6,
    graph:
      `${greyTexture(540, 24, 6, `${stir(3.2, 1.1, 6)}0.5+0.5*sin(2*ld(4)+2.4*ld(5))`, 160)};` +
      `${bend(square, 540, "st(6,x/(1.6*d*d+0.25));abs(mod(ld(6)*0.9+0.5+4,2)-1)*0.99", "st(6,y/(1.6*d*d+0.25));abs(mod(ld(6)*0.9+0.5+4,2)-1)*0.99", "gray")},format=yuv420p12le,${palette(
        "#101418 0, #31414b 0.3, #a9b7a9 0.5, #f5ead2 0.68, #d98f5c 0.8, #5b2a1e 1",
      )}[v]`,
    sound: "waltz",
  },
];

/** Stars on the inside of a tube: near ones pass faster than far ones. */
function starfield(): string {
  const seconds = 4;
  const layer = (name: string, density: number, turns: number, colour: string): string =>
    [
      `nullsrc=s=512x512:r=1:d=1,format=gray,geq=lum='if(lt(random(1),${density}),140+115*random(1),0)',` +
        `gblur=sigma=0.9,geq=lum='min(255,lum(X,Y)*5)',format=gbrp,${colour},format=yuv444p,` +
        `loop=${seconds * 24 - 1}:1,setpts=N/24/TB,fps=24,scroll=v=${-turns / (seconds * 24)}[texture]`,
      `${bend(wide, 512, "mod(a/6.2831853+1.5,1)", "mod(log(d+0.001)*0.4+20,1)")}[${name}]`,
    ]
      .join(";")
      .replaceAll("[texture]", `[${name}tube]`)
      .replaceAll("[u]", `[${name}u]`)
      .replaceAll("[v]", `[${name}v]`);
  return [
    layer("near", 0.0012, 2, "colorchannelmixer=rr=1:gg=0.93:bb=0.82"),
    layer("far", 0.0035, 1, "colorchannelmixer=rr=0.42:gg=0.5:bb=0.72"),
    "[near][far]blend=all_mode=lighten,format=yuv420p[s]",
    "nullsrc=s=1280x720:r=1:d=1,format=yuva420p,geq=lum='20+50*exp(-hypot(X-640,Y-360)/120)':cb=150:cr=122:a='255*clip(1.1-hypot(X-640,Y-360)/260,0,0.96)'[fog]",
    "[s][fog]overlay[v]",
  ].join(";");
}
