import {
  cutTimeline,
  hiddenS,
  isEdited,
  leadOf,
  readTimeline,
  type Edit,
  type Timeline,
} from "../facts/timeline.ts";
import type { ProbedStream } from "./ffprobe-output.ts";
import { readAt, type ByteSource } from "./read-at.ts";

/** Boxes of an MP4 track that say which of its media plays when. */
export interface EditedTrack {
  id: number;
  /** Handler, such as `vide` or `soun`. */
  kind: string;
  /** Track's units per second. */
  timeScale: number;
  edits: Edit[];
  /** True if the display matrix mirrors the picture. */
  isMirrored: boolean;
  /** Declared length of the media and time of its first frame, in the track's units. */
  length: number;
  first: number;
  /** Length of the first frame or packet, in the track's units. */
  step: number;
  /** Number of sample descriptions, each with the configuration of a decoder. */
  descriptions: number;
  /** Ids of tracks with this track's chapters. */
  chapters: number[];
}

/** Maximum number of parts that is read. Files with more are refused. */
const maxEdits = 2000;

/** Reads the version, flags and first fields of a box, or less if the box is shorter. */
export const readFields = (source: ByteSource, at: number, end: number): Promise<Buffer> =>
  readAt(source, at, Math.max(0, Math.min(end - at, 96)));

/** Reads the time scale and the length from the fields of a `mvhd` or `mdhd` box. */
export function readScale(box: Buffer): { timeScale: number; length: number } {
  const isLong = box[0] === 1;
  if (box.length < (isLong ? 32 : 20)) return { timeScale: 0, length: 0 };
  return isLong
    ? { timeScale: box.readUInt32BE(20), length: Number(box.readBigUInt64BE(24)) }
    : { timeScale: box.readUInt32BE(12), length: box.readUInt32BE(16) };
}

/** Reads the track's id from the fields of a `tkhd` box. */
export const readTrackId = (box: Buffer): number => readUnsigned(box, box[0] === 1 ? 20 : 12);

/** Reads from the fields of a `tkhd` box whether its display matrix mirrors the picture. */
export function readIsMirrored(box: Buffer): boolean {
  const at = box[0] === 1 ? 52 : 40;
  if (box.length < at + 20) return false;
  const [a, b, c, d] = [0, 4, 12, 16].map((cell) => box.readInt32BE(at + cell));
  return (a ?? 1) * (d ?? 1) < (b ?? 0) * (c ?? 0);
}

/** Reads a 32-bit number, or 0 past the end. */
export const readUnsigned = (box: Buffer, at: number): number =>
  box.length >= at + 4 ? box.readUInt32BE(at) : 0;

/** Reads the entries of an `elst` box. */
export async function readEdits(source: ByteSource, at: number, end: number): Promise<Edit[]> {
  const box = await readAt(source, at, Math.min(end - at, 8 + (maxEdits + 1) * 20));
  if (box.length < 8) return [];
  const isLong = box[0] === 1;
  const size = isLong ? 20 : 12;
  const count = Math.min(box.readUInt32BE(4), Math.floor((box.length - 8) / size));
  return Array.from({ length: count }, (_, i) => {
    const from = 8 + i * size;
    const rate = box.readInt32BE(from + size - 4) / 0x10000;
    return isLong
      ? {
          duration: Number(box.readBigUInt64BE(from)),
          mediaTime: Number(box.readBigInt64BE(from + 8)),
          rate,
        }
      : { duration: box.readUInt32BE(from), mediaTime: box.readInt32BE(from + 4), rate };
  });
}

/** Parts of an MP4's structure that say what plays. */
export interface EditedFile {
  tracks: readonly EditedTrack[];
  /** Units per second of the durations in edit lists. */
  movieScale: number;
  /** True if the packets are in fragments, so that the tracks' boxes don't declare their length. */
  isFragmented: boolean;
}

/**
 * Returns whether an edit list may do more than players do anyway, as far as the boxes tell.
 * Otherwise ffmpeg follows it.
 */
export function mayBeEdited({ tracks, movieScale, isFragmented }: EditedFile): boolean {
  return tracks.some((track) => {
    const { kind, timeScale, edits, first, length, step } = track;
    if (kind !== "vide" && kind !== "soun") return false;
    if (edits.length === 0 || timeScale === 0 || movieScale === 0) return false;
    const startS = first / timeScale;
    // Then only the packets tell the end.
    const isUnknown = isFragmented || length === 0;
    const media = { startS, endS: isUnknown ? Infinity : (first + length) / timeScale };
    const timeline = readTimeline(edits, { movie: movieScale, track: timeScale }, media);
    return isEdited(timeline, media, kind === "soun" ? null : step / timeScale);
  });
}

/** What plays of a file whose edit lists do more than players do anyway. */
export interface Edits {
  /** By the index of each stream. Counts from the first moment at which anything plays. */
  timelines: Map<number, Timeline>;
  /** Time in the movie at which the timelines start. */
  startS: number;
  /** False if the packets show that nothing is hidden or moved. */
  isEdited: boolean;
  /** Seconds of the media that never play, at most of all streams. */
  hiddenS: number;
}

/** Returns the timelines of these streams. @param endsS end of each stream's last packet. */
export function findEdits(
  file: EditedFile,
  streams: readonly ProbedStream[],
  endsS: ReadonlyMap<number, number>,
): Edits {
  const read = streams.map((stream) => {
    const startS = stream.start_time ?? 0;
    const media = { startS, endS: endsS.get(stream.index) ?? startS + (stream.duration ?? 0) };
    const { step = 0, timeScale = 1 } = findTrack(file.tracks, stream) ?? {};
    const frameS = stream.codec_type === "audio" ? null : step / Math.max(timeScale, 1);
    const timeline = findTimeline(file, stream, media);
    return {
      index: stream.index,
      timeline,
      isEdited: isEdited(timeline, media, frameS),
      hiddenS: hiddenS(timeline, media),
    };
  });
  const playing = read.filter(({ timeline }) => timeline.length > 0);
  const startS = Math.min(...playing.map(({ timeline }) => leadOf(timeline)));
  return {
    timelines: new Map(
      read.map(({ index, timeline }) => [index, cutTimeline(timeline, { startS, endS: Infinity })]),
    ),
    startS: Number.isFinite(startS) ? startS : 0,
    isEdited: read.some((each) => each.isEdited),
    hiddenS: Math.max(...read.map((each) => each.hiddenS)),
  };
}

/** Returns the timeline of a stream. @param media its packets, in the times of the track. */
function findTimeline(
  { tracks, movieScale }: EditedFile,
  stream: ProbedStream,
  media: { startS: number; endS: number },
): Timeline {
  const track = findTrack(tracks, stream);
  const scale = { movie: movieScale, track: track?.timeScale ?? 0 };
  return readTimeline(track?.edits ?? [], scale, media);
}

/**
 * Returns the timeline of a stream of texts, whose packets needn't be known.
 * @param startS time in the movie at which the video starts.
 */
export function findTextTimeline(file: EditedFile, stream: ProbedStream, startS: number): Timeline {
  const timeline = findTimeline(file, stream, { startS: 0, endS: Infinity });
  return startS < 0
    ? [{ lengthS: -startS, mediaS: null, rate: 1 }, ...timeline]
    : cutTimeline(timeline, { startS, endS: Infinity });
}

/** Returns the stream with a file's chapters, or null if they are in the file's metadata. */
export function findChapterStream(
  { tracks }: EditedFile,
  streams: readonly ProbedStream[],
): ProbedStream | null {
  const ids = new Set(tracks.flatMap(({ chapters }) => chapters));
  return streams.find(({ id }) => ids.has(Number(id))) ?? null;
}

/** Returns a stream's track. Only tracks of an MP4 have boxes. */
export const findTrack = (tracks: readonly EditedTrack[], { id }: Pick<ProbedStream, "id">) =>
  tracks.find((each) => each.id === Number(id));
