import type { ClipSpec } from "../clip.ts";
import { palette, wideSoft, type Gradient } from "../filter-graphs.ts";

const phosphor: Gradient = "#04080c 0, #0a2a33 0.15, #1fae9a 0.45, #c8ffe6 0.75, #ffffff 1";
/** Draws an XY oscilloscope of the left and right channels, in grey. */
const scope = (size: string, zoom: number, fade: number, blur: number): string =>
  `aformat=channel_layouts=stereo,avectorscope=s=${size}:r=24:m=lissajous_xy:draw=line:scale=lin:zoom=${zoom}:` +
  `rc=255:gc=255:bc=255:rf=${fade}:gf=${fade}:bf=${fade},format=gray,gblur=sigma=${blur}:steps=1`;

export const musicClips: ClipSpec[] = [
  {
    slug: "piano-for-an-empty-room",
    title: "Piano for an Empty Room",
    description:
      "Broken chords, and beside each note the place where it lives. Low to the left, high to the right, older towards the bottom.",
    categories: ["Music"],
    tags: ["piano", "spectrum", "arpeggio", "visualizer"],
    actors: ["Ostinato"],
    ageDays: 50,
    views: 22_600,
    likeRate: 0.08,
    frame: wideSoft,
    durationS: 16,
    graph:
      "[0:a]showcqt=s=640x200:fps=24:count=1:axis=0:bar_h=100:sono_h=100:bar_g=3:sono_g=4:basefreq=82:endfreq=2637:cscheme=1|0.6|0.2|0.2|0.6|1:bar_v=14:sono_v=26,format=gray,scale=960:540:flags=bicubic,format=yuv420p," +
      `${palette(
        "#080a14 0, #131c3f 0.12, #4b3c8c 0.35, #e2678a 0.6, #ffcf8f 0.82, #fffbe8 1",
        8,
      )}[v]`,
    sound: "stairwell",
  },
  {
    slug: "the-pen-that-could-not-stop",
    title: "The Pen That Could Not Stop",
    description: "Left channel across, right channel upwards. The chord is a knot.",
    categories: ["Music", "Geometry"],
    tags: ["lissajous", "oscilloscope", "knot", "green"],
    actors: ["Ostinato", "Orrery"],
    ageDays: 68,
    views: 6_400,
    likeRate: 0.064,
    frame: wideSoft,
    durationS: 9,
    graph: `[0:a]${scope("960x540", 3.5, 14, 0.9)},format=yuv420p,${palette(phosphor, 8)}[v]`,
    sound: "intervals",
  },
];
