/**
 * Short pieces of music, synthesised by ffmpeg: one expression per channel for `aevalsrc`, then
 * reverb. A piece repeats seamlessly.
 */

export type PieceName = keyof typeof pieces;

interface Piece {
  /** Length of one repetition. */
  seconds: number;
  left: string;
  right: string;
  /** Filters between the notes and the reverb. */
  colour?: string;
  /** Share of the reverb, 0 to 1, and how long it lasts. */
  reverb: number;
  ringS: number;
  /** Samples per second of the notes. Low notes need few. */
  rate?: number;
  /** Brings every piece to about -18 LUFS. */
  gainDb?: number;
  /** Filtered noise in the background, as a chain that starts with `anoisesrc`. */
  bed?: string;
}

type Note = number | null;

const hertz = (midi: number): number => Math.round(44000 * 2 ** ((midi - 69) / 12)) / 100;

/**
 * Returns a tree of comparisons that picks value number `ld(register)`. It is several times faster
 * than a chain.
 */
function pick(register: number, values: readonly number[]): string {
  const branch = (from: number, to: number): string => {
    if (to - from === 1) return String(values[from] ?? 0);
    const middle = Math.floor((from + to) / 2);
    return `if(lt(ld(${register}),${middle}),${branch(from, middle)},${branch(middle, to)})`;
  };
  return branch(0, values.length);
}

/** Sets ld(0) to the time since the note began and ld(1) to its number. */
function clockOf(count: number, stepS: number, shiftS: number): string {
  const turn = count * stepS;
  return `st(2,mod(t+${turn - shiftS},${turn}));st(0,mod(ld(2),${stepS}));st(1,floor(ld(2)/${stepS}))`;
}

/**
 * Returns one melody. `voice` computes a tone from ld(3), the phase, and ld(0), the time since its
 * start.
 */
function line(notes: readonly Note[], stepS: number, voice: string, shiftS = 0): string {
  const pitches = notes.map((note) => (note === null ? 0 : hertz(note)));
  // Short ramps at both ends, because a wave that is cut off clicks.
  return (
    `(${clockOf(notes.length, stepS, shiftS)};st(3,6.2831853*ld(0)*st(4,${pick(1, pitches)}));` +
    `gt(ld(4),0)*min(ld(0)*250,1)*min((${stepS}-ld(0))*60,1)*(${voice}))`
  );
}

/** Returns chords that swell and fade, with each note doubled slightly out of tune. */
function pad(
  chords: readonly (readonly number[])[],
  stepS: number,
  detune: number,
  shiftS = 0,
): string {
  const size = Math.max(...chords.map((chord) => chord.length));
  const tones = Array.from({ length: size }, (_, index) => {
    const pitches = chords.map((chord) => hertz(chord[index] ?? chord[0] ?? 60));
    return (
      `st(3,6.2831853*ld(0)*${pick(1, pitches)});` +
      `st(5,ld(5)+sin(ld(3)*${1 + detune})+sin(ld(3)*${1 - detune})+0.25*sin(2*ld(3)))`
    );
  });
  return (
    `(${clockOf(chords.length, stepS, shiftS)};st(5,0);${tones.join(";")};` +
    `ld(5)/${size * 2}*pow(sin(3.14159265*ld(0)/${stepS}),0.6))`
  );
}

const pluck =
  "exp(-5*ld(0))*(sin(ld(3))+0.5*exp(-6*ld(0))*sin(2*ld(3))+0.2*exp(-12*ld(0))*sin(3*ld(3)))";
const bell = "exp(-2.2*ld(0))*sin(ld(3)+1.6*exp(-3*ld(0))*sin(3.5*ld(3)))";
const thumb = "exp(-7*ld(0))*(sin(ld(3))+0.4*exp(-20*ld(0))*sin(5.4*ld(3)))";
const round = "exp(-1.4*ld(0))*(sin(ld(3))+0.3*sin(2*ld(3))+0.08*sin(3*ld(3)))";
const kick = (beatS: number): string =>
  `(st(0,mod(t,${beatS}));exp(-9*ld(0))*sin(6.2831853*(44*ld(0)+3*(1-exp(-30*ld(0))))))`;
const hat = (beatS: number, shiftS: number): string =>
  `(st(0,mod(t+${beatS - shiftS},${beatS}));exp(-70*ld(0))*(random(9)-0.5))`;

const broken = (chords: readonly (readonly number[])[], order: readonly number[]): number[] =>
  chords.flatMap((chord) =>
    order.map(
      (index) => (chord[index % chord.length] ?? 60) + 12 * Math.floor(index / chord.length),
    ),
  );

const lanternChords = [
  [50, 57, 62, 66, 69],
  [47, 54, 61, 62, 69],
  [43, 55, 59, 62, 66],
  [45, 57, 61, 64, 71],
];
const minorChords = [
  [57, 60, 64, 71],
  [53, 57, 60, 67],
  [48, 55, 60, 64],
  [55, 59, 62, 69],
];
const lofiChords = [
  [53, 57, 60, 64],
  [52, 55, 59, 62],
  [50, 53, 57, 60],
  [48, 52, 55, 59],
];
const _ = null;

const pieces = {
  /** Warm chords, nothing else. */
  lantern: {
    seconds: 20,
    left: `0.5*${pad(lanternChords, 5, 0.0012)}`,
    right: `0.5*${pad(lanternChords, 5, 0.0017)}`,
    rate: 8000,
    gainDb: 0.7,
    reverb: 0.5,
    ringS: 3,
  },
  /** Broken chords in A minor. */
  stairwell: {
    seconds: 12.8,
    left: `0.34*${line(broken(minorChords, [0, 1, 2, 3, 5, 3, 2, 1, 0, 2, 4, 6, 7, 6, 4, 2]), 0.2, pluck)}+0.16*${pad(minorChords, 3.2, 0.001)}`,
    right: `0.28*${line(broken(minorChords, [0, 1, 2, 3, 5, 3, 2, 1, 0, 2, 4, 6, 7, 6, 4, 2]), 0.2, pluck, 0.3)}+0.16*${pad(minorChords, 3.2, 0.0016)}`,
    gainDb: -4.6,
    reverb: 0.35,
    ringS: 2,
  },
  /** Sparse bells over a fifth. */
  belfry: {
    seconds: 16,
    left: `0.4*${line([74, _, 69, _, _, 78, _, 71, _, _, 66, _, 81, _, 69, _], 1, bell)}+0.1*sin(2*PI*73.5*t)+0.06*sin(2*PI*110.25*t)`,
    right: `0.4*${line([_, 81, _, _, 74, _, 76, _, 62, _, _, 78, _, 71, _, 83], 1, bell, 0.5)}+0.1*sin(2*PI*73.5*t)+0.06*sin(2*PI*110.5*t)`,
    gainDb: -3,
    reverb: 0.5,
    ringS: 3.5,
  },
  /** A low drone whose partials drift. */
  undertow: {
    seconds: 16,
    left: "0.22*sin(2*PI*55*t)+0.12*sin(2*PI*110*t)*(1+sin(2*PI*t/8))+0.07*sin(2*PI*165*t)*(1+sin(2*PI*t/16))+0.04*sin(2*PI*247.5*t)*(1-cos(2*PI*t/5.3333))+0.03*sin(2*PI*330*t)*(1+sin(2*PI*t/4))",
    right:
      "0.22*sin(2*PI*55.125*t)+0.12*sin(2*PI*110.125*t)*(1-sin(2*PI*t/8))+0.07*sin(2*PI*165.125*t)*(1+cos(2*PI*t/16))+0.04*sin(2*PI*247.625*t)*(1+cos(2*PI*t/5.3333))+0.03*sin(2*PI*329.875*t)*(1-sin(2*PI*t/4))",
    rate: 8000,
    gainDb: -4.3,
    reverb: 0.5,
    ringS: 3,
  },
  /** Surf, with chords far behind it. */
  tide: {
    seconds: 16,
    left: `0.2*${pad(lanternChords, 4, 0.001)}`,
    right: `0.2*${pad(lanternChords, 4, 0.0015)}`,
    rate: 8000,
    gainDb: 7.5,
    reverb: 0.5,
    ringS: 3,
    bed: "anoisesrc=c=pink:a=0.6:r=48000:s=7,lowpass=f=900,volume='0.28+0.22*sin(2*PI*t/8)+0.1*sin(2*PI*t/5.3333)':eval=frame",
  },
  /** The same figure on both channels, faster on one. They align after one repetition. */
  phases: {
    seconds: 16,
    left: `0.36*${line([64, 66, 71, 73, 74, 66, 64, 73, 71, 66, 74, 73], 2 / 12, thumb)}`,
    right: `0.36*${line([64, 66, 71, 73, 74, 66, 64, 73, 71, 66, 74, 73], 16 / 9 / 12, thumb)}`,
    gainDb: -4.8,
    reverb: 0.3,
    ringS: 1.6,
  },
  /** Slow beat, soft chords. */
  afterhours: {
    seconds: 12.8,
    left: `0.42*${kick(1.6)}+0.05*${hat(0.8, 0.4)}+0.3*${pad(lofiChords, 3.2, 0.002)}+0.2*${line([76, _, 79, _, 72, 74, _, _, 71, _, 74, 76, _, _, 67, _, 69, _, 72, 74, 76, _, _, 72, 71, _, 67, _, 64, _, _, _], 0.4, round)}`,
    right: `0.42*${kick(1.6)}+0.05*${hat(0.8, 0.41)}+0.3*${pad(lofiChords, 3.2, 0.003)}+0.16*${line([76, _, 79, _, 72, 74, _, _, 71, _, 74, 76, _, _, 67, _, 69, _, 72, 74, 76, _, _, 72, 71, _, 67, _, 64, _, _, _], 0.4, round, 0.6)}`,
    colour: "lowpass=f=5200",
    gainDb: -0.9,
    reverb: 0.28,
    ringS: 1.8,
  },
  /** Thumb piano. */
  porch: {
    seconds: 9.6,
    left: `0.5*${line([67, _, 71, 74, _, 71, 67, _, 64, _, 67, 71, _, 67, 64, _, 60, _, 64, 67, _, 72, 71, _, 62, _, 66, 69, _, 74, 69, 66], 0.15, thumb)}+0.2*${line([43, _, 43, 52, _, 52, 48, _, 48, 50, _, 50], 0.4, round)}`,
    right: `0.5*${line([_, 79, _, _, 78, _, _, 74, _, _, 76, _, 74, _, _, 71, _, 72, _, 76, _, _, 79, _, _, 78, _, _, 74, _, 81, _], 0.15, thumb)}+0.2*${line([43, _, 43, 52, _, 52, 48, _, 48, 50, _, 50], 0.4, round)}`,
    gainDb: -6,
    reverb: 0.25,
    ringS: 1.4,
  },
  /** For the oscilloscope: pure intervals, left across, right upwards. */
  intervals: {
    seconds: 16,
    left: "0.5*sin(2*PI*(110+0.0625)*t)*(0.8+0.2*sin(2*PI*t/8))+0.16*sin(2*PI*330*t)",
    right: "0.5*sin(2*PI*165*t+0.4*sin(2*PI*t/16))*(0.8+0.2*cos(2*PI*t/8))+0.16*sin(2*PI*275*t)",
    gainDb: -9,
    reverb: 0,
    ringS: 1,
  },
} satisfies Record<string, Piece>;

/**
 * Returns a reverb: three rows of echoes, each denser than the previous one, decaying to -60 dB in
 * `ringS`.
 */
function echoes(ringS: number): string {
  const rows = [
    [23, 37, 53, 71],
    [97, 131, 173, 211],
    [307, 419, 541, 683, 839],
  ];
  return rows
    .map((row) => {
      const decays = row.map((ms) =>
        Math.max(0.8 * 10 ** ((-3 * ms) / 1000 / ringS), 0.01).toFixed(2),
      );
      return `aecho=0.6:1:${row.join("|")}:${decays.join("|")}`;
    })
    .join(",");
}

/**
 * Returns the ffmpeg arguments that write one repetition of a piece as 48 kHz stereo PCM to `output`.
 * The piece is played twice through the reverb and the second repetition is used, so that its end
 * blends into its beginning.
 */
export function planPiece(name: PieceName, output: string): string[] {
  const piece: Piece = pieces[name];
  const samples = Math.round(piece.seconds * 48_000);
  const colour = piece.colour === undefined ? "" : `,${piece.colour}`;
  const rate = piece.rate ?? 16_000;
  const graph = [
    `aevalsrc=exprs='${piece.left}|${piece.right}':c=stereo:s=${rate}:d=${piece.seconds},aresample=48000${colour},aloop=1:${samples}[notes]`,
    "[notes]asplit[dry][send]",
    `[send]lowpass=f=4200,highpass=f=160,${echoes(piece.ringS)},volume=${(piece.reverb * 0.5).toFixed(3)}[wet]`,
    ...(piece.bed === undefined
      ? ["[dry][wet]amix=2:normalize=0[mix]"]
      : [
          `${piece.bed},pan=stereo|c0=c0|c1=c0,atrim=0:${piece.seconds * 2}[bed]`,
          "[dry][wet][bed]amix=3:normalize=0[mix]",
        ]),
    `[mix]atrim=start=${piece.seconds}:end=${piece.seconds * 2},asetpts=PTS-STARTPTS,` +
      `volume=${piece.gainDb ?? 0}dB,alimiter=limit=0.9:level=0[out]`,
  ];
  return [
    ...["-filter_complex_threads", "1", "-filter_complex", graph.join(";"), "-map", "[out]"],
    ...["-c:a", "pcm_s16le", "-f", "wav", `file:${output}`],
  ];
}
