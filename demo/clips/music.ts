import type { ClipSpec } from "../clip.ts";
import { palette, tallSoft, wideSoft, type Gradient } from "../filter-graphs.ts";

const phosphor: Gradient = "#04080c 0, #0a2a33 0.15, #1fae9a 0.45, #c8ffe6 0.75, #ffffff 1";
const ember: Gradient =
  "#07060c 0, #2a0f2a 0.15, #b3304f 0.4, #ff9a4d 0.65, #ffe9b0 0.85, #ffffff 1";

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
    ageDays: 22,
    views: 22_600,
    likeRate: 0.08,
    frame: wideSoft,
    durationS: 19.2,
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
    ageDays: 30,
    views: 6_400,
    likeRate: 0.064,
    frame: wideSoft,
    durationS: 12,
    graph: `[0:a]${scope("960x540", 3.5, 14, 0.9)},format=yuv420p,${palette(phosphor, 8)}[v]`,
    sound: "intervals",
  },
  {
    slug: "knots-for-a-long-string",
    title: "Knots for a Long String",
    description: "Three to two, five to three, and the moment between them when nothing fits.",
    categories: ["Music"],
    tags: ["lissajous", "oscilloscope", "vertical", "gold"],
    actors: ["Ostinato"],
    ageDays: 4,
    views: 11_200,
    likeRate: 0.084,
    frame: tallSoft,
    durationS: 12,
    graph: `[0:a]aphaseshift=shift=0.37,${scope("540x480", 3.6, 9, 1)},split[p][q];[q]vflip[r];[p][r]vstack,format=yuv420p,${palette(ember, 8)}[v]`,
    sound: "intervals",
  },
  {
    slug: "lullaby-written-in-smoke",
    title: "Lullaby, Written in Smoke",
    description:
      "A music box, as its own score: time from right to left, every tone with its shadows.",
    categories: ["Music", "Slow"],
    tags: ["spectrogram", "music box", "waltz", "visualizer"],
    actors: ["Ostinato", "Mira Solenne"],
    ageDays: 15,
    views: 9_500,
    likeRate: 0.073,
    frame: wideSoft,
    durationS: 19.2,
    graph:
      "[0:a]showcqt=s=270x160:fps=24:count=1:axis=0:bar_h=0:sono_h=160:sono_g=4:basefreq=140:endfreq=4200:cscheme=1|0.5|0.2|0.2|0.5|1:sono_v=30,format=gray,transpose=2,scale=960:540:flags=bicubic,format=yuv420p," +
      `${palette(
        "#0a0a14 0, #1c1f4a 0.15, #5c3a8a 0.4, #d0678f 0.6, #ffc08a 0.8, #fff6d8 1",
        8,
      )}[v]`,
    sound: "waltz",
  },
  {
    slug: "voice-from-the-next-apartment",
    title: "Voice from the Next Apartment",
    description: "You cannot make out the words, only that somebody is happy.",
    categories: ["Music"],
    tags: ["waveform", "low voice", "beat", "evening"],
    actors: ["Ostinato", "Quiet Machines"],
    ageDays: 39,
    views: 3_900,
    likeRate: 0.042,
    frame: wideSoft,
    durationS: 12.8,
    graph:
      "[0:a]showwaves=s=320x180:r=24:mode=cline:n=60:scale=sqrt:draw=full:colors=white|gray,format=gray,lagfun=decay=0.86,gblur=sigma=0.7:sigmaV=2:steps=1,scale=960:540:flags=bicubic,format=yuv420p," +
      `${palette("#0d0a14 0, #241a3d 0.2, #c0476b 0.5, #ffb27a 0.8, #fff3d9 1", 8)}[v]`,
    sound: "afterhours",
  },
  {
    slug: "ladder-of-small-bells",
    title: "Ladder of Small Bells",
    description: "Struck one at a time and allowed to finish. Every lamp is a rung.",
    categories: ["Music", "Slow"],
    tags: ["bells", "spectrum", "vertical", "calm"],
    actors: ["Ostinato", "Hollow Moon"],
    ageDays: 3,
    views: 7_800,
    likeRate: 0.091,
    frame: tallSoft,
    durationS: 12,
    graph:
      "[0:a]showcqt=s=48x80:fps=24:count=1:axis=0:bar_h=80:sono_h=0:bar_g=7:basefreq=130:endfreq=2093:cscheme=1|0.7|0.4|0.4|0.7|1:bar_v=32,format=gray,dilation,dilation,scale=12:20:flags=neighbor,lagfun=decay=0.9,scale=540:960:flags=neighbor,format=yuv420p," +
      `${palette(
        "#0b1018 0, #10222e 0.08, #12615f 0.3, #f2c14e 0.55, #f78154 0.8, #fff4e0 1",
        8,
      )}[lamps];` +
      "nullsrc=s=540x960:r=1:d=1,format=yuva420p,geq=lum=22:cb=130:cr=126:a='255*clip(hypot(mod(X,45)-22.5,mod(Y,48)-24)-18,0,1)'[grid];[lamps][grid]overlay[v]",
    sound: "belfry",
  },
];
