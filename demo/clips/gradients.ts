import type { ClipSpec } from "../clip.ts";
import { field, palette, stir, tallSlow, tallSoft, wideSlow, wideSoft } from "../filter-graphs.ts";

const dawn = palette("#0b1030 0, #3c2a6b 0.3, #b4567f 0.5, #f39a6e 0.7, #ffd9a0 0.88, #fff6e0 1");
const silk = palette("#140a1c 0, #5a1038 0.3, #c02f4f 0.55, #f27d72 0.75, #ffd0b5 0.9, #fff3e6 1");
const room = palette(
  "#1c0f14 0, #3a1518 0.2, #8c2a1e 0.24, #a5331f 0.5, #d8792b 0.55, #e08f38 0.78, #2d1a2a 0.83, #22131f 1",
);
const sea = palette("#04121c 0, #0d4a5e 0.35, #2aa79b 0.6, #bfe6c4 0.8, #fdf7e1 1");

export const gradientClips: ClipSpec[] = [
  {
    slug: "slow-dawn-over-nothing",
    title: "Slow Dawn over Nothing",
    description:
      "Two minutes of morning without a landscape. Made to be left on in a room where somebody is working.",
    categories: ["Gradients", "Slow"],
    tags: ["ambient", "sunrise", "calm", "long", "background"],
    actors: ["Low Tide Lab"],
    ageDays: 86,
    views: 26_100,
    likeRate: 0.048,
    frame: wideSlow,
    durationS: 120,
    loopS: 12,
    graph: `${field(wideSlow, 12, "0.47-0.55*y+0.16*sin(2.1*x+1.3*sin(2*y+tau*t/12)+tau*t/12)+0.12*sin(3.3*y-1.7*x-tau*t/12)", 64, 4)},${dawn}[v]`,
    sound: "lantern",
  },
  {
    slug: "silk-first-take",
    title: "Silk, First Take",
    description: "The same silk before it learned to fall upwards.",
    categories: ["Gradients"],
    tags: ["silk", "red"],
    actors: ["Mira Solenne"],
    ageDays: 24,
    views: 310,
    likeRate: 0.02,
    isRemoved: true,
    frame: tallSlow,
    durationS: 4,
    graph: `${field(tallSlow, 4, "0.5+0.3*sin(5*x+2*y+tau*t/4)", 60)},${silk}[v]`,
    sound: null,
  },
  {
    slug: "silk-falling-upwards",
    title: "Silk, Falling Upwards",
    description: "A length of red silk with its own idea of gravity.",
    categories: ["Gradients"],
    tags: ["silk", "fabric", "red", "vertical", "loop"],
    actors: ["Mira Solenne"],
    ageDays: 20,
    views: 21_700,
    likeRate: 0.091,
    frame: tallSoft,
    durationS: 8,
    graph: `${field(tallSoft, 8, `${stir(1.5, 1.1, 8)}0.5+0.32*sin(7*ld(4)+2.2*sin(2.4*y+tau*t/8)+tau*t/4)*cos(1.5*ld(5))+0.12*sin(19*ld(4)+tau*t/4)`, 150)},${silk}[v]`,
    sound: "lantern",
  },
  {
    slug: "red-room-with-a-low-sun",
    title: "Red Room with a Low Sun",
    description:
      "Three fields of color that never quite agree where they meet. After a long afternoon in a museum.",
    categories: ["Gradients", "Slow"],
    tags: ["color field", "painting", "calm", "red"],
    actors: ["Atelier Umbra"],
    ageDays: 61,
    views: 5_200,
    likeRate: 0.039,
    frame: tallSlow,
    durationS: 40,
    loopS: 8,
    graph: `${field(tallSlow, 8, "0.5+0.5*y+0.008*sin(5*x+2*sin(4*y)+tau*t/8)+0.0025*sin(31*x-9*y-tau*t/8)+0.05*sin(tau*t/8)*cos(2*x)", 100, 4)},${room}[v]`,
    sound: "undertow",
  },
  {
    slug: "the-sea-remembers-green",
    title: "The Sea Remembers Green",
    description: "Watercolors poured into each other, a minute at a time.",
    categories: ["Gradients", "Waves"],
    tags: ["sea studies", "water", "green", "calm", "long", "ambient"],
    actors: ["Low Tide Lab", "Vela Marsh"],
    ageDays: 40,
    views: 12_900,
    likeRate: 0.052,
    frame: wideSoft,
    durationS: 60,
    loopS: 9,
    graph: `${field(wideSoft, 9, `${stir(1.6, 0.9, 9)}0.5+0.26*sin(2*ld(4)+1.3*ld(5))+0.2*sin(3.1*ld(5)-ld(4)+tau*t/9)`, 80, 6)},${sea}[v]`,
    sound: "tide",
  },
];
