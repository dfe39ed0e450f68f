import { open, type FileHandle } from "node:fs/promises";
import type { Container } from "../facts/input-guards.ts";
import { readAt } from "./read-at.ts";
import { readBox } from "./read-box.ts";
import { readEdits, readTimeScale, shiftOf, type EditedTrack } from "./edit-list.ts";

/** Structure of a file's boxes, read before a demuxer opens it. */
export interface OuterStructure {
  /** True if the file ends before its last part does. */
  endsEarly: boolean;
  /**
   * True if a track is encrypted (ISO 23001-7). The sample entry shows that even without a key
   * system.
   */
  hasEncryptedVideo: boolean;
  hasEncryptedAudio: boolean;
  /** True if a second MP4 follows the first. Programs only play the first one. */
  hasSecondMovie: boolean;
  /** Seconds that the edit list of each MP4 track adds to its times, in the order of the tracks. */
  editShiftsS: number[];
}

/**
 * Known top-level boxes. Other data behind the last box is ignored, because some programs append
 * notes.
 */
const topBoxes = new Set([
  ...["ftyp", "styp", "moov", "moof", "mdat", "mfra", "free", "skip", "wide", "uuid", "meta"],
  ...["sidx", "ssix", "pdin", "emsg", "prft", "udta", "pnot"],
]);
/** Boxes that contain the sample entries, at any depth. */
const parents = new Set(["moov", "trak", "edts", "mdia", "minf", "stbl"]);
const maxBoxes = 20_000;

/** Reads only the headers of the outer parts, a few bytes each. */
export async function readOuterStructure(
  localPath: string,
  container: Container,
  sizeBytes: number,
): Promise<OuterStructure> {
  const handle = await open(localPath, "r");
  try {
    if (container === "mov") return await readBoxes(handle, sizeBytes);
    const endsAt = container === "avi" ? await findRiffEnd(handle) : await findSegmentEnd(handle);
    const endsEarly = endsAt !== null && endsAt > sizeBytes;
    return {
      endsEarly,
      hasEncryptedVideo: false,
      hasEncryptedAudio: false,
      hasSecondMovie: false,
      editShiftsS: [],
    };
  } finally {
    await handle.close();
  }
}

async function readBoxes(handle: FileHandle, sizeBytes: number): Promise<OuterStructure> {
  const found = {
    endsEarly: false,
    hasEncryptedVideo: false,
    hasEncryptedAudio: false,
    hasSecondMovie: false,
  };
  let movies = 0;
  const tracks: EditedTrack[] = [];
  let movieScale = 0;
  let count = 0;

  async function walk(from: number, to: number, parent: string | null): Promise<void> {
    for (let at = from; at + 8 <= to && count < maxBoxes; count += 1) {
      const box = await readBox(handle, at, to);
      if (box === null) return;
      const { type, length, contentAt: content } = box;
      if (length < 8 || (parent === null && !topBoxes.has(type))) return;
      if (parent === null && at + length > to) found.endsEarly = true;
      if (parent === null && type === "moov") movies += 1;
      if (movies > 1 || (parent === null && type === "ftyp" && movies > 0)) {
        found.hasSecondMovie = true;
        // Only the tracks of the first movie play.
        return;
      }
      if (type === "encv") found.hasEncryptedVideo = true;
      if (type === "enca") found.hasEncryptedAudio = true;
      const end = Math.min(at + length, to);
      if (type === "trak") tracks.push({ timeScale: 0, edits: [] });
      const track = tracks.at(-1);
      if (type === "mvhd") movieScale = await readTimeScale(handle, content);
      if (type === "mdhd" && track !== undefined) {
        track.timeScale = await readTimeScale(handle, content);
      }
      if (type === "elst" && track !== undefined)
        track.edits = await readEdits(handle, content, end);
      if (parents.has(type)) await walk(content, end, type);
      // Version, flags and count precede the sample entries.
      else if (type === "stsd" && parent === "stbl") await walk(content + 8, end, type);
      at += length;
    }
  }

  await walk(0, sizeBytes, null);
  return { ...found, editShiftsS: tracks.map((track) => shiftOf(track, movieScale)) };
}

/** Returns the end of the first RIFF list. Unfinished recordings declare 0. */
async function findRiffEnd(handle: FileHandle): Promise<number | null> {
  const head = await readAt(handle, 0, 8);
  const length = head.length === 8 ? head.readUInt32LE(4) : 0;
  return length === 0 ? null : length + 8;
}

/** Returns the end of a Matroska file's segment (RFC 8794, 6); null if its length is unknown. */
async function findSegmentEnd(handle: FileHandle): Promise<number | null> {
  const head = await readAt(handle, 0, 4096);
  const at = head.indexOf("18538067", 0, "hex");
  const first = at < 0 ? undefined : head[at + 4];
  if (first === undefined || first === 0) return null;
  const width = Math.clz32(first) - 23;
  const value = head.subarray(at + 4, at + 4 + width);
  if (value.length < width) return null;
  let length = first & (0xff >> width);
  let isUnknown = length === 0xff >> width;
  for (const byte of value.subarray(1)) {
    length = length * 256 + byte;
    isUnknown &&= byte === 0xff;
  }
  return isUnknown ? null : at + 4 + width + length;
}
