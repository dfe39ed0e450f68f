import type { ClipSpec } from "../clip.ts";
import { field, palette, paper, stir, tall, tallSoft } from "../filter-graphs.ts";

export const waveClips: ClipSpec[] = [
  {
    slug: "pool-at-four-in-the-afternoon",
    title: "Pool, Four in the Afternoon",
    description: "Nobody is swimming. The light does all the work.",
    categories: ["Waves", "Light", "Slow"],
    tags: ["sea studies", "caustics", "water", "blue", "summer", "vertical"],
    actors: ["Low Tide Lab"],
    ageDays: 29,
    views: 23_900,
    likeRate: 0.081,
    frame: tallSoft,
    durationS: 36,
    loopS: 6,
    graph:
      `${field(tallSoft, 6, `${stir(4.2, 1.05, 6, 3)}1/(1+3.2*abs(sin(ld(4))+sin(ld(5))))`, 190)},` +
      `${palette("#05415f 0, #0d7699 0.25, #2fb3c4 0.5, #9fe9e2 0.75, #ffffff 1")}[v]`,
    sound: "tide",
  },
  {
    slug: "paper-sea",
    title: "Paper Sea",
    description: "Eight sheets of blue paper and a pair of scissors that has been to the coast.",
    categories: ["Waves", "Geometry"],
    tags: ["sea studies", "paper cut", "sea", "layers", "vertical"],
    actors: ["Paper Comet"],
    ageDays: 4,
    views: 13_400,
    likeRate: 0.097,
    frame: tall,
    durationS: 12,
    loopS: 4,
    graph:
      `${field(tall, 4, "0.5-0.56*y+0.05*sin(5*x+tau*t/4+6*y)+0.035*sin(9*x-tau*t/4-7*y)+0.03*sin(3*x+tau*t/4)", 120)},` +
      `${palette(paper(["#0b1d3a", "#12356b", "#1b5a9c", "#2b86c5", "#5fb4dd", "#a3d8ec", "#f4e3c3", "#f7b48a", "#f08a73"]))}[v]`,
    sound: "tide",
  },
];
