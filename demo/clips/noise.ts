import type { ClipSpec } from "../clip.ts";
import {
  contours,
  field,
  palette,
  square,
  stir,
  tallSoft,
  wide,
  wideSoft,
} from "../filter-graphs.ts";

/** Plane waves from `count` directions: a pattern that is ordered and never repeats in space. */
const crystal = (count: number, zoom: number, seconds: number): string =>
  `0.5+${(0.5 / count).toFixed(4)}*(${Array.from({ length: count }, (_, index) => {
    const angle = (Math.PI * index) / count;
    const sign = index % 2 === 0 ? "+" : "-";
    return `cos(x*${(zoom * Math.cos(angle)).toFixed(4)}+y*${(zoom * Math.sin(angle)).toFixed(4)}${sign}t*${(6.2831853 / seconds).toFixed(5)})`;
  }).join("+")})`;

export const noiseClips: ClipSpec[] = [
  {
    slug: "topography-of-a-daydream",
    title: "Topography of a Daydream",
    description:
      "Contour lines of a country that moves while you look at it. Scale and north are left to the reader.",
    categories: ["Noise", "Slow"],
    tags: ["contour lines", "map", "landscape", "calm"],
    actors: ["Paper Comet", "Vela Marsh"],
    ageDays: 16,
    views: 19_200,
    likeRate: 0.076,
    frame: wide,
    durationS: 70,
    loopS: 10,
    graph:
      `${field(wide, 10, `${stir(1.9, 0.75, 10)}0.5+0.3*sin(2*ld(4)+ld(5))+0.18*cos(3*ld(5)-1.4*ld(4))`, 150)},` +
      `${palette(contours(["#0e2a2c", "#17403d", "#2c5e4e", "#58805c", "#93a06b", "#c9b67e", "#e9cf9c", "#f6e8cd"], "#fffaf0", 16))}[v]`,
    sound: "lantern",
  },
  {
    slug: "ink-in-milk",
    title: "Ink in Milk",
    description: "One drop, followed until it has become weather.",
    categories: ["Noise"],
    tags: ["ink", "liquid", "smoke", "black and white"],
    actors: ["Mira Solenne"],
    ageDays: 11,
    views: 14_700,
    likeRate: 0.068,
    frame: wideSoft,
    durationS: 40,
    loopS: 10,
    graph:
      `${field(wideSoft, 10, `${stir(1.3, 1.5, 10, 4)}st(6,hypot(ld(4),ld(5)));0.5+0.42*sin(1.7*ld(6)+1.2*sin(ld(4)*2)+tau*t/10)`, 150)},` +
      `${palette("#0c0f1c 0, #1c2547 0.25, #51628f 0.45, #c8cddb 0.62, #f6f2ea 0.8, #fffdf8 1")}[v]`,
    sound: "undertow",
  },
  {
    slug: "fire-that-owes-nobody-anything",
    title: "A Fire That Owes Nobody Anything",
    description: "For balconies, stairwells and other places where fires are not allowed.",
    categories: ["Noise", "Light"],
    tags: ["fire", "flames", "warm", "vertical", "loop"],
    actors: ["Nine Lanterns"],
    ageDays: 4,
    views: 28_300,
    likeRate: 0.094,
    frame: tallSoft,
    durationS: 8,
    graph:
      `${field(tallSoft, 8, "st(6,y*2.4+t*1.5708);st(4,x+0.10*sin(ld(6)*1.9+2*x)+0.05*sin(ld(6)*3.7-5*x));st(5,ld(6)+0.4*sin(4*ld(4)+ld(6)));0.62+0.72*y-1.15*abs(ld(4))*(1.1-0.8*y)+0.17*sin(9*ld(4)+1.8*sin(ld(5)*2))*cos(ld(5)*2)+0.13*sin(ld(5)*5+7*ld(4))", 170, 12)},` +
      `${palette("#07050a 0, #1d0a0e 0.3, #7a1a10 0.48, #e0531a 0.62, #ffae3b 0.78, #fff0b0 0.92, #fffdf0 1")}[v]`,
    sound: "tide",
  },
  {
    slug: "fingerprint-of-a-glacier",
    title: "Fingerprint of a Glacier",
    description: "Waves from seven directions. Nobody has found where it repeats.",
    categories: ["Noise", "Geometry"],
    tags: ["quasicrystal", "pattern", "ice", "labyrinth"],
    actors: ["Hollow Moon", "Tessellate & Daughters"],
    isPremium: true,
    ageDays: 8,
    views: 6_100,
    likeRate: 0.058,
    frame: wide,
    durationS: 24,
    loopS: 6,
    graph:
      `${field(wide, 6, crystal(7, 44, 6), 220)},` +
      `${palette("#071a2b 0, #0c3450 0.36, #2a7f9e 0.46, #e9f6f2 0.52, #ffffff 0.62, #bfe4ee 1")}[v]`,
    sound: "belfry",
  },
  {
    slug: "five-fold-lace",
    title: "Five-Fold Lace",
    description: "A tablecloth that Penrose would have liked.",
    categories: ["Noise", "Geometry"],
    tags: ["quasicrystal", "lace", "symmetry", "square"],
    actors: ["Tessellate & Daughters"],
    ageDays: 30,
    views: 2_900,
    likeRate: 0.051,
    frame: square,
    durationS: 6,
    graph:
      `${field(square, 6, crystal(5, 62, 6), 220)},` +
      `${palette("#3b0d2e 0, #7d1f4b 0.35, #f3a5a0 0.5, #fff1e6 0.58, #f6d186 0.7, #fff8dc 1")}[v]`,
    sound: "waltz",
  },
  {
    slug: "lava-politely",
    title: "Lava, Politely",
    description: "A lamp from somebody's first flat. It has been on since then.",
    categories: ["Noise", "Slow"],
    tags: ["lava lamp", "blobs", "retro", "vertical"],
    actors: ["Nine Lanterns", "Low Tide Lab"],
    ageDays: 19,
    views: 16_800,
    likeRate: 0.085,
    frame: tallSoft,
    durationS: 48,
    loopS: 12,
    graph:
      `${field(
        tallSoft,
        12,
        `st(7,0);${Array.from({ length: 6 }, (_, index) => {
          const turns = 1 + (index % 2);
          const phase = (index * 1.9).toFixed(2);
          const speed = ((6.2831853 * turns) / 12).toFixed(5);
          const size = (0.011 + 0.005 * ((index * 5) % 4)).toFixed(4);
          return `st(7,ld(7)+${size}/(pow(x-0.2*sin(t*0.5236+${phase}*2),2)+pow(y-0.72*sin(t*${speed}+${phase}),2)*0.7+0.004))`;
        }).join(";")};clip(ld(7)*0.42+0.1*y,0,1)`,
        120,
      )},` +
      `${palette("#2a0b3f 0, #4a1259 0.3, #8c1f66 0.44, #ff6a3d 0.47, #ff9a4d 0.65, #ffd38a 0.9, #fff0cf 1")}[v]`,
    sound: "afterhours",
  },
];
