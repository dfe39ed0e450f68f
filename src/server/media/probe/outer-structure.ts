import { open } from "node:fs/promises";
import { promisify } from "node:util";
import { inflate } from "node:zlib";
import type { Container } from "../facts/input-guards.ts";
import { readAt, toSource, type ByteSource } from "./read-at.ts";
import { readBox } from "./read-box.ts";
import {
  readEdits,
  readFields,
  readIsMirrored,
  readScale,
  readTrackId,
  readUnsigned,
  type EditedFile,
  type EditedTrack,
} from "./edit-list.ts";

/** Structure of a file's boxes, read before a demuxer opens it. */
export interface OuterStructure extends EditedFile {
  /** True if the file ends before its last part does. */
  endsEarly: boolean;
  /**
   * True if a track is encrypted (ISO 23001-7, or FairPlay in older purchases from iTunes). The
   * sample entry shows that even without a key system.
   */
  hasEncryptedVideo: boolean;
  hasEncryptedAudio: boolean;
  /** True if a second MP4 follows the first. Programs only play the first one. */
  hasSecondMovie: boolean;
  /** Tracks of an MP4 with their edit lists. */
  tracks: EditedTrack[];
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
const parents = new Set(["moov", "cmov", "trak", "edts", "tref", "mdia", "minf", "stbl"]);
const maxBoxes = 20_000;

/** Reads only the headers of the outer parts, a few bytes each. */
export async function readOuterStructure(
  localPath: string,
  container: Container,
  sizeBytes: number,
): Promise<OuterStructure> {
  const handle = await open(localPath, "r");
  try {
    if (container === "mov") return await readMovie(handle, sizeBytes);
    const endsAt = container === "avi" ? await findRiffEnd(handle) : await findSegmentEnd(handle);
    return { ...emptyStructure(), endsEarly: endsAt !== null && endsAt > sizeBytes };
  } finally {
    await handle.close();
  }
}

const emptyStructure = (): OuterStructure => ({
  endsEarly: false,
  hasEncryptedVideo: false,
  hasEncryptedAudio: false,
  hasSecondMovie: false,
  tracks: [],
  movieScale: 0,
  isFragmented: false,
});

/** Reads the structure of an MP4. */
export async function readMovie(source: ByteSource, sizeBytes: number): Promise<OuterStructure> {
  const found = emptyStructure();
  let movies = 0;
  let count = 0;

  async function walk(
    bytes: ByteSource,
    from: number,
    to: number,
    parent: string | null,
  ): Promise<void> {
    for (let at = from; at + 8 <= to && count < maxBoxes; count += 1) {
      const box = await readBox(bytes, at, to);
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
      if (type === "encv" || type === "drmi") found.hasEncryptedVideo = true;
      if (type === "enca" || type === "drms") found.hasEncryptedAudio = true;
      const end = Math.min(at + length, to);
      if (type === "mvex") found.isFragmented = true;
      if (type === "trak") {
        const none = { timeScale: 0, length: 0, first: 0, step: 0 };
        const lists = { edits: [], descriptions: 0, chapters: [] };
        found.tracks.push({ id: 0, kind: "", ...none, ...lists, isMirrored: false });
      }
      const track = found.tracks.at(-1);
      if (type === "mvhd") {
        found.movieScale = readScale(await readFields(bytes, content, end)).timeScale;
      } else if (type === "elst" && track !== undefined) {
        track.edits = await readEdits(bytes, content, end);
      } else if (track !== undefined && trackBoxes.has(`${parent}/${type}`)) {
        addFields(track, type, await readFields(bytes, content, end));
      }
      if (parents.has(type)) await walk(bytes, content, end, type);
      // Version, flags and count precede the sample entries.
      else if (type === "stsd" && parent === "stbl") await walk(bytes, content + 8, end, type);
      else if (type === "cmvd" && parent === "cmov") {
        const index = await readCompressed(bytes, content, end);
        await walk(toSource(index), 0, index.length, type);
      }
      at += length;
    }
  }

  await walk(source, 0, sizeBytes, null);
  return found;
}

/** Maximum size of a compressed index. QuickTime wrote it for short videos. */
const maxIndexBytes = 32 * 2 ** 20;
const inflateBytes = promisify(inflate);

/**
 * Reads an index that old versions of QuickTime compressed (QuickTime File Format, compressed
 * movies). Returns nothing if it is malformed or too large.
 */
async function readCompressed(source: ByteSource, from: number, to: number): Promise<Buffer> {
  // The uncompressed length comes first.
  const length = Math.max(0, Math.min(maxIndexBytes, to - from - 4));
  const compressed = await readAt(source, from + 4, length);
  return inflateBytes(compressed, { maxOutputLength: maxIndexBytes }).catch(() => Buffer.alloc(0));
}

/** Boxes with properties of a track. Boxes of other kinds have the same names. */
const trackBoxes = new Set([
  ...["trak/tkhd", "tref/chap", "mdia/mdhd", "mdia/hdlr", "stbl/stts", "stbl/ctts"],
  "stbl/stsd",
]);

function addFields(track: EditedTrack, type: string, box: Buffer): void {
  if (type === "tkhd") {
    track.id = readTrackId(box);
    track.isMirrored = readIsMirrored(box);
  } else if (type === "mdhd") Object.assign(track, readScale(box));
  else if (type === "hdlr") track.kind = box.toString("latin1", 8, 12);
  else if (type === "stsd") track.descriptions = readUnsigned(box, 4);
  else if (type === "stts") track.step = readUnsigned(box, 12);
  else if (type === "ctts") track.first = readUnsigned(box, 12) | 0;
  else {
    const ids = Array.from({ length: Math.floor(box.length / 4) }, (_, i) => i * 4);
    track.chapters = ids.map((at) => box.readUInt32BE(at));
  }
}

/** Returns the end of the first RIFF list. Unfinished recordings declare 0. */
async function findRiffEnd(source: ByteSource): Promise<number | null> {
  const head = await readAt(source, 0, 8);
  const length = head.length === 8 ? head.readUInt32LE(4) : 0;
  return length === 0 ? null : length + 8;
}

/** Returns the end of a Matroska file's segment (RFC 8794, 6); null if its length is unknown. */
async function findSegmentEnd(source: ByteSource): Promise<number | null> {
  const head = await readAt(source, 0, 4096);
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
