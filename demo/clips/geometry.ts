import type { ClipSpec } from "../clip.ts";
import {
  bend,
  slidingTexture,
  square,
  tall,
  wide,
  type Frame,
  type Gradient,
} from "../filter-graphs.ts";

/**
 * Moves colours along a still drawing. `u` is the drawing as an expression that returns a number
 * for each point.
 */
function walking(frame: Frame, seconds: number, u: string, stops: Gradient, turns: number): string {
  return `${slidingTexture(1024, frame.fps, seconds, "x+0.5", stops, turns, 0).replace("s=1024x1024", "s=1024x2").replace("scale=1024:1024", "scale=1024:2")};${bend(frame, 1024, u, "0.0005")}[v]`;
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
    tags: ["truchet", "tiles", "bauhaus", "primary colours"],
    actors: ["Tessellate & Daughters", "Atelier Umbra"],
    ageDays: 24,
    views: 10_300,
    likeRate: 0.065,
    frame: wide,
    durationS: 15,
    loopS: 5,
    graph: walking(wide, 5, truchet(5), bauhaus, 1),
    sound: "phases",
  },
  {
    slug: "staircase-for-a-tall-cat",
    title: "Staircase for a Tall Cat",
    description: "The same tiles with softer manners, and room above the head.",
    categories: ["Geometry"],
    tags: ["truchet", "tiles", "vertical", "pastel"],
    actors: ["Tessellate & Daughters"],
    ageDays: 8,
    views: 5_800,
    likeRate: 0.076,
    frame: tall,
    durationS: 12,
    loopS: 6,
    graph: walking(
      tall,
      6,
      truchet(4),
      "#10263a 0, #1f6f78 0.25, #f4c8a5 0.5, #f28f79 0.7, #6b2d5c 0.85, #10263a 1",
      -1,
    ),
    sound: "porch",
  },
  {
    slug: "honeycomb-radio",
    title: "Honeycomb Radio",
    description: "Each cell listens to its own station. Now and then they all play the same song.",
    categories: ["Geometry"],
    tags: ["hexagons", "bees", "gold", "pattern"],
    actors: ["Parallel Ferns"],
    ageDays: 26,
    views: 4_200,
    likeRate: 0.047,
    frame: wide,
    durationS: 10,
    loopS: 5,
    graph: walking(
      wide,
      5,
      "st(4,x*8+60);st(5,y*8+60);st(6,mod(ld(4),1)-0.5);st(7,mod(ld(5),1.7320508)-0.8660254);" +
        "st(4,mod(ld(4)-0.5,1)-0.5);st(5,mod(ld(5)-0.8660254,1.7320508)-0.8660254);" +
        "st(8,gt(hypot(ld(6),ld(7)),hypot(ld(4),ld(5))));st(6,if(ld(8),ld(4),ld(6)));st(7,if(ld(8),ld(5),ld(7)));" +
        "st(4,floor((x*8+60-ld(6))*2+0.5));st(5,floor((y*8+60-ld(7))/0.8660254+0.5));" +
        "st(8,0.5-max(abs(ld(6)),abs(ld(6))*0.5+abs(ld(7))*0.8660254));" +
        "if(lt(ld(8),0.035),0.999,mod(mod(abs(sin(ld(4)*12.9898+ld(5)*4.1414)*43758.5),1)*0.45+0.1+0.25*ld(8)+0.1*sin(x*3+y*2),0.98))",
      "#1a0f08 0, #6b3306 0.3, #e08a12 0.5, #ffd25e 0.62, #e08a12 0.75, #1a0f08 1",
      1,
    ),
    sound: "porch",
  },
  {
    slug: "hexagons-leaving-quietly",
    title: "Hexagons, Leaving Quietly",
    description:
      "They go out one by one and close the door behind them, and there is always another door.",
    categories: ["Geometry", "Optical"],
    tags: ["hexagons", "infinite zoom", "vertical", "hypnotic"],
    actors: ["Parallel Ferns", "Orrery"],
    ageDays: 5,
    views: 15_900,
    likeRate: 0.089,
    frame: tall,
    durationS: 12,
    loopS: 4,
    graph: walking(
      tall,
      4,
      "st(6,a+0.9*log(d+0.02));st(7,d*cos(mod(ld(6)+62.8318,1.0471976)-0.5235988));mod(log(ld(7)+0.004)*1.35+30,1)",
      "#160f29 0, #26315f 0.2, #2f7f86 0.4, #f3dfc1 0.6, #ffb17a 0.66, #b0305c 0.8, #160f29 1",
      -1,
    ),
    sound: "stairwell",
  },
  {
    slug: "three-hands-no-numbers",
    title: "Three Hands, No Numbers",
    description:
      "A clock that is right all the time, since it never says what it means. One minute.",
    categories: ["Geometry", "Slow"],
    tags: ["clock", "time", "rings", "minute"],
    actors: ["Orrery"],
    ageDays: 33,
    views: 7_700,
    likeRate: 0.054,
    frame: wide,
    durationS: 60,
    loopS: 6,
    graph: clock(wide, 6),
    sound: "belfry",
  },
  {
    slug: "colour-wheel-off-its-axle",
    title: "Colour Wheel, off Its Axle",
    description: "All the colours there are, in the order in which they were delivered.",
    categories: ["Geometry", "Gradients"],
    tags: ["colour wheel", "rainbow", "square", "loop"],
    actors: ["Atelier Umbra"],
    ageDays: 28,
    views: 3_300,
    likeRate: 0.044,
    frame: square,
    durationS: 8,
    loopS: 4,
    graph: walking(
      square,
      4,
      "st(6,hypot(x-0.1,y+0.06));mod(atan2(y+0.06,x-0.1)/6.2831853+2+0.22*floor(ld(6)*9)+0.06*sin(ld(6)*40),1)",
      "#e4572e 0, #f3a712 0.15, #d6d84f 0.32, #3aa17e 0.48, #2e86ab 0.64, #5d3a9b 0.8, #c2378a 0.92, #e4572e 1",
      1,
    ),
    sound: "waltz",
  },
  {
    slug: "orchard-by-compass",
    title: "Orchard by Compass",
    description: "Petals by ruler and compass, ripening from the outside in.",
    categories: ["Geometry"],
    tags: ["rose curve", "flowers", "vertical", "mathematics"],
    actors: ["Parallel Ferns", "Mira Solenne"],
    ageDays: 13,
    views: 6_900,
    likeRate: 0.081,
    frame: tall,
    durationS: 10,
    loopS: 5,
    graph: walking(
      tall,
      5,
      "st(6,d*(1.15-0.42*abs(sin(3.5*a+1.5*d))));mod(pow(ld(6),0.75)*4.2+0.05*sin(14*a),1)",
      "#fdf0d5 0, #f7b2ad 0.18, #d1495b 0.36, #66304a 0.52, #2b3a55 0.68, #5f9ea0 0.84, #fdf0d5 1",
      -1,
    ),
    sound: "waltz",
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
