import type { ClipSpec } from "../clip.ts";
import { contours, field, palette, stir, tallSoft, wide } from "../filter-graphs.ts";

export const noiseClips: ClipSpec[] = [
  {
    slug: "topography-of-a-daydream",
    title: "Topography of a Daydream",
    description:
      "Contour lines of a country that moves while you look at it. Scale and north are left to the reader.",
    categories: ["Noise", "Slow"],
    tags: ["contour lines", "map", "landscape", "calm"],
    actors: ["Paper Comet", "Vela Marsh"],
    ageDays: 36,
    views: 19_200,
    likeRate: 0.076,
    frame: wide,
    durationS: 28,
    loopS: 7,
    graph:
      `${field(wide, 7, `${stir(1.9, 0.75, 7)}0.5+0.3*sin(2*ld(4)+ld(5))+0.18*cos(3*ld(5)-1.4*ld(4))`, 120)},` +
      `${palette(contours(["#0e2a2c", "#17403d", "#2c5e4e", "#58805c", "#93a06b", "#c9b67e", "#e9cf9c", "#f6e8cd"], "#fffaf0", 16))}[v]`,
    sound: "lantern",
  },
  {
    slug: "fire-that-owes-nobody-anything",
    title: "A Fire That Owes Nobody Anything",
    description: "For balconies, stairwells and other places where fires are not allowed.",
    categories: ["Noise", "Light"],
    tags: ["fire", "flames", "warm", "vertical", "loop"],
    actors: ["Nine Lanterns"],
    ageDays: 9,
    views: 28_300,
    likeRate: 0.094,
    frame: tallSoft,
    durationS: 8,
    loopS: 4,
    graph:
      `${field(tallSoft, 4, "st(6,y*2.4+t*1.5708);st(4,x+0.10*sin(ld(6)*2+2*x)+0.05*sin(ld(6)*4-5*x));st(5,ld(6)+0.4*sin(4*ld(4)+ld(6)));0.62+0.72*y-1.15*abs(ld(4))*(1.1-0.8*y)+0.17*sin(9*ld(4)+1.8*sin(ld(5)*2))*cos(ld(5)*2)+0.13*sin(ld(5)*5+7*ld(4))", 140, 12)},` +
      `${palette("#07050a 0, #1d0a0e 0.3, #7a1a10 0.48, #e0531a 0.62, #ffae3b 0.78, #fff0b0 0.92, #fffdf0 1")}[v]`,
    sound: "tide",
  },
];
