import { open, type FileHandle } from "node:fs/promises";
import { readAt } from "../probe/read-at.ts";
import { findBox, hasBox, readBoxes, readTable } from "./mp4-boxes.ts";
import { readSampleTimes, type Edit, type SampleTimes } from "./sample-times.ts";

/** What the index of a MP4 without fragments says (ISO 14496-12). */
export interface Mp4Index {
  durationS: number;
  /** As ffmpeg counts streams. */
  tracks: Mp4Track[];
}

interface Mp4Track {
  kind: "video" | "audio" | "other";
  /** Of the picture, as coded; 0 for other tracks. */
  width: number;
  /** In the time of the file. */
  endS: number;
  /** Null where its edit list, its tables or their size need a demuxer. */
  readTimes(): SampleTimes | null;
}

/** An index of two hours is a fraction of it. */
const maxIndexBytes = 8 * 1024 * 1024;
const maxTopBoxes = 1000;

/**
 * Reads the index of a file. It saves the start of a program for the usual file: null for everything
 * that is not as recorders and editors write it, which a demuxer must judge.
 */
export async function readMp4Index(localPath: string): Promise<Mp4Index | null> {
  const handle = await open(localPath, "r");
  try {
    const { size } = await handle.stat();
    const movie = await readMovie(handle, size);
    return movie === null ? null : parseMovie(movie, size);
  } catch (error) {
    // What a damaged table leads to.
    if (error instanceof RangeError) return null;
    throw error;
  } finally {
    await handle.close();
  }
}

/** The content of the only `moov` box of a whole file. */
async function readMovie(handle: FileHandle, sizeBytes: number): Promise<Buffer | null> {
  let movie: Buffer | null = null;
  let count = 0;
  for (let at = 0; at < sizeBytes; count += 1) {
    const head = await readAt(handle, at, 16);
    if (head.length < 8 || count >= maxTopBoxes) return null;
    const declared = head.readUInt32BE(0);
    const type = head.toString("latin1", 4, 8);
    const headBytes = declared === 1 ? 16 : 8;
    const length =
      declared === 1 ? Number(head.readBigUInt64BE(8)) : declared === 0 ? sizeBytes - at : declared;
    if (length < headBytes || at + length > sizeBytes || type === "moof") return null;
    if (type === "moov") {
      if (movie !== null || length > maxIndexBytes) return null;
      movie = await readAt(handle, at + headBytes, length - headBytes);
    }
    at += length;
  }
  return movie;
}

function parseMovie(movie: Buffer, sizeBytes: number): Mp4Index | null {
  const header = findBox(movie, "mvhd");
  if (header === null || hasBox(movie, "mvex")) return null;
  const { timeScale, duration } = readDuration(header, 12);
  if (timeScale === 0) return null;
  const tracks: Mp4Track[] = [];
  for (const { type, content } of readBoxes(movie)) {
    if (type !== "trak") continue;
    const track = parseTrack(content, timeScale, sizeBytes);
    if (track === null) return null;
    tracks.push(track);
  }
  return { durationS: duration / timeScale, tracks };
}

/** Time scale and duration as `mvhd` and `mdhd` hold them, after two dates. */
function readDuration(header: Buffer, at: number): { timeScale: number; duration: number } {
  return header[0] === 1
    ? { timeScale: header.readUInt32BE(at + 8), duration: readLong(header, at + 12) }
    : { timeScale: header.readUInt32BE(at), duration: header.readUInt32BE(at + 4) };
}

const readLong = (bytes: Buffer, at: number): number => Number(bytes.readBigUInt64BE(at));

const kinds: Record<string, "video" | "audio"> = { vide: "video", soun: "audio" };

function parseTrack(track: Buffer, movieScale: number, sizeBytes: number): Mp4Track | null {
  const header = findBox(track, "tkhd");
  const mediaHeader = findBox(track, "mdia", "mdhd");
  const handler = findBox(track, "mdia", "hdlr");
  const tables = findBox(track, "mdia", "minf", "stbl");
  if (header === null || mediaHeader === null || handler === null || tables === null) return null;
  const kind = kinds[handler.toString("latin1", 8, 12)] ?? "other";
  const { timeScale } = readDuration(mediaHeader, 12);
  const [description, ...more] = readBoxes(findBox(tables, "stsd")?.subarray(8) ?? Buffer.alloc(0));
  if (timeScale === 0 || description === undefined || more.length > 0) return null;
  const edits = findBox(track, "edts", "elst");
  return {
    kind,
    width: kind === "video" ? description.content.readUInt16BE(24) : 0,
    endS: (header[0] === 1 ? readLong(header, 28) : header.readUInt32BE(20)) / movieScale,
    readTimes() {
      try {
        const lists = edits === null ? [] : readEdits(edits, movieScale);
        return readSampleTimes(tables, { kind, timeScale, edits: lists }, sizeBytes);
      } catch (error) {
        if (error instanceof RangeError) return null;
        throw error;
      }
    },
  };
}

function readEdits(edits: Buffer, movieScale: number): Edit[] {
  return edits[0] === 1
    ? readTable(edits, 20, (entry) => ({
        durationS: readLong(entry, 0) / movieScale,
        mediaTime: Number(entry.readBigInt64BE(8)),
        rate: entry.readInt16BE(16),
      }))
    : readTable(edits, 12, (entry) => ({
        durationS: entry.readUInt32BE(0) / movieScale,
        mediaTime: entry.readInt32BE(4),
        rate: entry.readInt16BE(8),
      }));
}
