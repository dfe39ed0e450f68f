import { findBox, hasBox, readTable } from "./mp4-boxes.ts";

/** Presentation times of the samples of a track, in seconds of the file, in the order of decoding. */
export interface SampleTimes {
  all: number[];
  keyframes: number[];
  /** Where the last one ends. */
  endS: number;
}

/** A part of a track that is shown. */
export interface Edit {
  durationS: number;
  /** In units of the track; below 0 nothing is shown. */
  mediaTime: number;
  rate: number;
}

interface TrackTimes {
  kind: "video" | "audio" | "other";
  timeScale: number;
  edits: Edit[];
}

/** More are left to a demuxer, which is a process of its own. */
const maxSamples = 200_000;
/** By which an edit list may hide the end of the last sample. */
const hiddenEndS = 0.1;
/** Encoders of sound need a moment before the first one that counts. */
const primingS = 0.2;

/** Reads the tables of a track (`stbl`); null where something in them is unusual. */
export function readSampleTimes(
  tables: Buffer,
  track: TrackTimes,
  sizeBytes: number,
): SampleTimes | null {
  const sizes = findBox(tables, "stsz");
  const durations = findBox(tables, "stts");
  if (sizes === null || durations === null) return null;
  // Groups of samples may name more of them that a player can begin at.
  if (track.kind !== "audio" && hasBox(tables, "sbgp", "stps")) return null;
  const count = sizes.readUInt32BE(8);
  if (count === 0 || count > maxSamples || !areChunksInside(tables, sizeBytes)) return null;

  const lengths = expand(durations, count, (entry) => entry.readUInt32BE(4));
  const delays = hasBox(tables, "ctts")
    ? expand(findBox(tables, "ctts"), count, (entry) => entry.readInt32BE(4))
    : new Float64Array(count);
  if (lengths === null || delays === null || delays.some((delay) => delay < 0)) return null;
  const shown = new Float64Array(count);
  let decodedAt = 0;
  let first = Infinity;
  let end = 0;
  for (let at = 0; at < count; at += 1) {
    const length = lengths[at] ?? 0;
    const time = decodedAt + (delays[at] ?? 0);
    shown[at] = time;
    first = Math.min(first, time);
    end = Math.max(end, time + length);
    decodedAt += length;
  }
  const begin = findBegin(track, first, end);
  if (begin === null) return null;
  const toSeconds = (time: number): number => (time - begin) / track.timeScale;
  const all = Array.from(shown, toSeconds);
  return { all, keyframes: listKeyframes(tables, all), endS: toSeconds(end) };
}

/** The value of every sample from a table of runs; null where it has those of more or of fewer. */
function expand(
  table: Buffer | null,
  count: number,
  read: (entry: Buffer) => number,
): Float64Array | null {
  if (table === null) return null;
  const values = new Float64Array(count);
  let at = 0;
  for (const run of readTable(table, 8, (entry) => ({
    count: entry.readUInt32BE(0),
    value: read(entry),
  }))) {
    if (run.count > count - at) return null;
    values.fill(run.value, at, at + run.count);
    at += run.count;
  }
  return at === count ? values : null;
}

/** The time in the track at which the file begins; null where the edit list does more than say it. */
function findBegin(
  { kind, timeScale, edits }: TrackTimes,
  first: number,
  end: number,
): number | null {
  const [edit, ...more] = edits;
  if (edit === undefined) return 0;
  const { mediaTime, durationS } = edit;
  const isHidden = end - mediaTime > (durationS + hiddenEndS) * timeScale;
  if (more.length > 0 || mediaTime < 0 || edit.rate !== 1 || isHidden) return null;
  const isWhole =
    kind === "audio" ? mediaTime <= first + primingS * timeScale : mediaTime === first;
  return isWhole ? mediaTime : null;
}

function listKeyframes(tables: Buffer, all: number[]): number[] {
  if (!hasBox(tables, "stss")) return all;
  const numbers = readTable(findBox(tables, "stss") ?? Buffer.alloc(0), 4, (entry) =>
    entry.readUInt32BE(0),
  );
  return numbers.flatMap((number) => all[number - 1] ?? []);
}

/** Whether all of them begin inside of the file. */
function areChunksInside(tables: Buffer, sizeBytes: number): boolean {
  const short = findBox(tables, "stco");
  const long = findBox(tables, "co64");
  const offsets =
    short !== null
      ? readTable(short, 4, (entry) => entry.readUInt32BE(0))
      : long === null
        ? []
        : readTable(long, 8, (entry) => Number(entry.readBigUInt64BE(0)));
  return offsets.length > 0 && offsets.every((offset) => offset < sizeBytes);
}
