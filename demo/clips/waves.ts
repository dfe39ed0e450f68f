import type { ClipSpec } from "../clip.ts";
import { field, palette, paper, stir, tall, wide } from "../filter-graphs.ts";

/** Standing waves on a square plate: sand gathers where nothing moves. */
const plate = (n: string, m: string): string =>
  `st(6,${n});st(7,${m});` +
  "0.5+0.25*(cos(ld(6)*x*3.1416)*cos(ld(7)*y*3.1416)-cos(ld(7)*x*3.1416)*cos(ld(6)*y*3.1416))";

const sand = palette(
  "#12222e 0, #1d3a47 0.4, #6d5a3e 0.475, #f7e3b0 0.492, #f7e3b0 0.508, #6d5a3e 0.525, #1d3a47 0.6, #12222e 1",
);

export const waveClips: ClipSpec[] = [
  {
    slug: "sand-on-a-drum",
    title: "Sand on a Drum",
    description:
      "Chladni's figures, passing from one note into the next. The bright lines are the places where the plate holds still.",
    categories: ["Waves", "Geometry"],
    tags: ["chladni", "sand", "physics", "pattern"],
    actors: ["Hollow Moon"],
    ageDays: 29,
    views: 11_800,
    likeRate: 0.072,
    frame: wide,
    durationS: 45,
    loopS: 9,
    graph: `${field(wide, 9, plate("4.2+1.6*sin(tau*t/9)", "2.6+1.4*cos(tau*t/9)"), 200)},${sand}[v]`,
    sound: "belfry",
  },
  {
    slug: "quarter-to-a-fifth",
    title: "A Quarter to a Fifth",
    description: "The same plate, held upright and tuned a little higher.",
    categories: ["Waves"],
    tags: ["chladni", "vertical", "pattern", "gold"],
    actors: ["Hollow Moon", "Mira Solenne"],
    ageDays: 6,
    views: 4_900,
    likeRate: 0.079,
    frame: tall,
    durationS: 6,
    graph:
      `${field(tall, 6, plate("5.5+2*sin(tau*t/6)", "3.2+1.5*sin(tau*t/6+1.2)"), 200)},` +
      `${palette("#f3c46b 0, #8a4b1e 0.3, #1b0d12 0.47, #fff2cf 0.5, #1b0d12 0.53, #1f4d5c 0.7, #7fd6c8 1")}[v]`,
    sound: "belfry",
  },
  {
    slug: "pool-at-four-in-the-afternoon",
    title: "Pool, Four in the Afternoon",
    description: "Nobody is swimming. The light does all the work.",
    categories: ["Waves", "Light", "Slow"],
    tags: ["caustics", "water", "blue", "summer", "ambient"],
    actors: ["Low Tide Lab"],
    ageDays: 13,
    views: 23_900,
    likeRate: 0.081,
    frame: wide,
    durationS: 64,
    loopS: 8,
    graph:
      `${field(wide, 8, `${stir(4.2, 1.05, 8, 3)}1/(1+3.2*abs(sin(ld(4))+sin(ld(5))))`, 190)},` +
      `${palette("#05415f 0, #0d7699 0.25, #2fb3c4 0.5, #9fe9e2 0.75, #ffffff 1")}[v]`,
    sound: "tide",
  },
  {
    slug: "paper-sea",
    title: "Paper Sea",
    description: "Eight sheets of blue paper and a pair of scissors that has been to the coast.",
    categories: ["Waves", "Geometry"],
    tags: ["paper cut", "sea", "layers", "vertical"],
    actors: ["Paper Comet"],
    ageDays: 2,
    views: 13_400,
    likeRate: 0.097,
    frame: tall,
    durationS: 8,
    graph:
      `${field(tall, 8, "0.5-0.56*y+0.05*sin(5*x+tau*t/4+9*y)+0.035*sin(9*x-tau*t/4-14*y)+0.03*sin(3*x+tau*t/8)", 180)},` +
      `${palette(paper(["#0b1d3a", "#12356b", "#1b5a9c", "#2b86c5", "#5fb4dd", "#a3d8ec", "#f4e3c3", "#f7b48a", "#f08a73"]))}[v]`,
    sound: "tide",
  },
];
