import type { ClipSpec } from "../clip.ts";
import { bend, slidingTexture, wide, type Frame, type Gradient } from "../filter-graphs.ts";

/**
 * Moves colours along a still drawing. `u` is the drawing as an expression that returns a number
 * for each point and has no jumps.
 */
function walking(frame: Frame, seconds: number, u: string, stops: Gradient, turns: number): string {
  return `${slidingTexture(1024, frame.fps, seconds, "x+0.5", stops, turns, 0).replace("s=1024x1024", "s=1024x2").replace("scale=1024:1024", "scale=1024:2")};${bend(frame, 1024, u, "0.0005", { step: 2 })}[v]`;
}

const bauhaus: Gradient =
  "#f2e9d8 0, #f2e9d8 0.2, #d9412b 0.22, #d9412b 0.4, #f2b632 0.42, #f2b632 0.58, #1f4e79 0.6, #1f4e79 0.78, #191a1f 0.8, #191a1f 0.98, #f2e9d8 1";

/** Quarter-circle tile in one of two orientations, chosen by its position. */
const truchet = (tiles: number): string =>
  `st(4,floor(x*${tiles}+40));st(5,floor(y*${tiles}+40));st(6,x*${tiles}+40-ld(4));st(7,y*${tiles}+40-ld(5));` +
  "st(6,if(gt(mod(abs(sin(ld(4)*12.9898+ld(5)*78.233)*43758.5),1),0.5),1-ld(6),ld(6)));" +
  "st(8,min(hypot(ld(6),ld(7)),hypot(1-ld(6),1-ld(7))));clip(abs(ld(8)-0.5)*2,0,0.999)";

export const geometryClips: ClipSpec[] = [
  {
    slug: "weather-report-from-dessau",
    title: "Weather Report from Dessau",
    description:
      "Tiles with quarter circles, laid at random. The fronts are moving in from the left.",
    categories: ["Geometry"],
    tags: ["rules and patterns", "truchet", "tiles", "bauhaus", "primary colors"],
    actors: ["Tessellate & Daughters", "Atelier Umbra"],
    ageDays: 54,
    views: 10_300,
    likeRate: 0.065,
    frame: wide,
    durationS: 15,
    loopS: 5,
    graph: walking(wide, 5, truchet(5), bauhaus, 1),
    sound: "phases",
  },
  {
    slug: "three-hands-no-numbers",
    title: "Three Hands, No Numbers",
    description:
      "A clock that is right all the time, since it never says what it means. One minute.",
    categories: ["Geometry", "Slow"],
    tags: ["clock", "time", "rings", "minute"],
    actors: ["Orrery"],
    ageDays: 74,
    views: 7_700,
    likeRate: 0.054,
    frame: wide,
    durationS: 60,
    loopS: 6,
    graph: clock(wide, 6),
    sound: "belfry",
  },
];

/** Rings that turn at their own speeds, each with a bright hand and the trail behind it. */
function clock(frame: Frame, seconds: number): string {
  const rings = [
    {
      turns: 1,
      stops: "#15131c 0, #2a2036 0.5, #a64b3c 0.9, #ffd9a0 0.985, #15131c 1",
    },
    {
      turns: 2,
      stops: "#14161f 0, #1f2c44 0.5, #3d7ea6 0.9, #c9f2ff 0.985, #14161f 1",
    },
    {
      turns: 3,
      stops: "#15171a 0, #20332f 0.5, #3f9477 0.9, #d8ffe4 0.985, #15171a 1",
    },
    {
      turns: -1,
      stops: "#18151a 0, #33263a 0.5, #9c5a9e 0.9, #ffd6f5 0.985, #18151a 1",
    },
  ] satisfies { turns: number; stops: Gradient }[];
  const strips = rings.map(({ turns, stops }, index) =>
    slidingTexture(1024, frame.fps, seconds, "x+0.5", stops, -turns, 0)
      .replace("s=1024x1024", "s=1024x8")
      .replace("scale=1024:1024", "scale=1024:8")
      .replace("[texture]", `[ring${index}]`),
  );
  return [
    ...strips,
    "[ring0][ring1][ring2][ring3]vstack=4,format=yuv444p,pad=1024:1024:0:0:color=#100f14[texture]",
    `${bend(
      frame,
      1024,
      "mod(a/6.2831853+1.25,1)",
      "st(6,(d-0.08)/0.098);if(lt(ld(6),0)+gte(ld(6),4)+gt(mod(ld(6),1),0.8),0.5,(floor(ld(6))*8+4)/1024)",
    )}[v]`,
  ].join(";");
}
