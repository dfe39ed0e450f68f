import { readFile } from "node:fs/promises";
import { keepBytes } from "./clip-cache.ts";

// Functions that return cached copies of MP4 files with a few changed bytes.

/** 1 as a 16.16 fixed-point number. */
const one = 0x10000;
/** Matrix that rotates the picture by 90 degrees. */
export const quarterTurn = [0, one, 0, -one, 0, 0, 0, 0, 0x40000000];

/** Writes a display matrix into the first track header of an MP4 (ISO 14496-12, 8.3.2). */
export async function setMatrix(name: string, source: string, rows: number[]): Promise<string> {
  const bytes = await readFile(source);
  const matrixAt = bytes.indexOf("tkhd", 0, "latin1") + 44;
  for (const [i, value] of rows.entries()) bytes.writeInt32BE(value, matrixAt + i * 4);
  return keepBytes(name, bytes);
}

/** Writes a size into the first H.264 sample entry, which decoders ignore. */
export async function setDeclaredSize(
  name: string,
  source: string,
  width: number,
  height: number,
): Promise<string> {
  const bytes = await readFile(source);
  const entryAt = bytes.indexOf("avc1", bytes.indexOf("stsd", 0, "latin1"), "latin1");
  bytes.writeUInt16BE(width, entryAt + 28);
  bytes.writeUInt16BE(height, entryAt + 30);
  return keepBytes(name, bytes);
}

/** Returns the first part of a file. */
export async function cut(name: string, source: string, share: number): Promise<string> {
  const bytes = await readFile(source);
  return keepBytes(name, bytes.subarray(0, Math.floor(bytes.length * share)));
}

/** Renames the last box of a type in a copy. */
export async function renameBox(
  name: string,
  source: string,
  from: string,
  to: string,
): Promise<string> {
  const bytes = await readFile(source);
  bytes.write(to, bytes.lastIndexOf(from, undefined, "latin1"), "latin1");
  return keepBytes(name, bytes);
}

/** Appends a box for a key system to the index, which is the last box (ISO 23001-7, 8.1). */
export async function addKeySystem(name: string, source: string): Promise<string> {
  const bytes = await readFile(source);
  const moovAt = bytes.lastIndexOf("moov", undefined, "latin1") - 4;
  const box = Buffer.alloc(32);
  box.writeUInt32BE(box.length, 0);
  box.write("pssh", 4, "latin1");
  bytes.writeUInt32BE(bytes.length - moovAt + box.length, moovAt);
  return keepBytes(name, Buffer.concat([bytes, box]));
}

/** Part that an edit list plays. `fromS` counts from the start of the source; null plays nothing. */
export interface PlayedPart {
  fromS: number | null;
  lengthS: number;
  /** 1 by default. */
  rate?: number;
}

interface Box {
  type: string;
  at: number;
  contentAt: number;
  end: number;
}

function listBoxes(bytes: Buffer, from: number, to: number): Box[] {
  const boxes: Box[] = [];
  for (let at = from; at + 8 <= to;) {
    const end = at + bytes.readUInt32BE(at);
    boxes.push({ type: bytes.toString("latin1", at + 4, at + 8), at, contentAt: at + 8, end });
    at = end;
  }
  return boxes;
}

function findBox(bytes: Buffer, within: Box, ...path: string[]): Box | undefined {
  const [type, ...more] = path;
  if (type === undefined) return within;
  const box = listBoxes(bytes, within.contentAt, within.end).find((each) => each.type === type);
  return box === undefined ? undefined : findBox(bytes, box, ...more);
}

/**
 * Writes edit lists into a copy of an MP4 (ISO 14496-12, 8.6.6). Its index must come last, or its
 * fragments must not depend on where they are (`default_base_moof`).
 * @param editsOf returns the parts of a track by its handler (`vide`, `soun`, `sbtl`, `text`), or
 * undefined to leave its list as it is.
 */
export async function setEdits(
  name: string,
  source: string,
  editsOf: (handler: string) => PlayedPart[] | undefined,
): Promise<string> {
  const bytes = await readFile(source);
  const moov = listBoxes(bytes, 0, bytes.length).find(({ type }) => type === "moov");
  if (moov === undefined) throw new Error("no index");
  const header = findBox(bytes, moov, "mvhd");
  const movieScale = bytes.readUInt32BE((header?.contentAt ?? 0) + 12);
  const children = listBoxes(bytes, moov.contentAt, moov.end).map((box) => {
    const isTrack = box.type === "trak";
    const handler = isTrack ? findBox(bytes, box, "mdia", "hdlr") : undefined;
    const kindAt = (handler?.contentAt ?? 0) + 8;
    const edits = isTrack ? editsOf(bytes.toString("latin1", kindAt, kindAt + 4)) : undefined;
    return edits === undefined
      ? bytes.subarray(box.at, box.end)
      : editTrack(bytes, box, edits, movieScale);
  });
  const index = makeBox("moov", ...children);
  return keepBytes(
    name,
    Buffer.concat([bytes.subarray(0, moov.at), index, bytes.subarray(moov.end)]),
  );
}

function editTrack(bytes: Buffer, track: Box, edits: PlayedPart[], movieScale: number): Buffer {
  const media = findBox(bytes, track, "mdia", "mdhd");
  const timeScale = bytes.readUInt32BE((media?.contentAt ?? 0) + 12);
  const list = findBox(bytes, track, "edts", "elst");
  // The first moment that the source shows.
  const first = list === undefined ? 0 : Math.max(0, bytes.readInt32BE(list.contentAt + 12));
  const entries = Buffer.alloc(8 + edits.length * 12);
  entries.writeUInt32BE(edits.length, 4);
  for (const [i, { fromS, lengthS, rate = 1 }] of edits.entries()) {
    entries.writeUInt32BE(Math.round(lengthS * movieScale), 8 + i * 12);
    entries.writeInt32BE(fromS === null ? -1 : first + Math.round(fromS * timeScale), 12 + i * 12);
    entries.writeInt32BE(Math.round(rate * one), 16 + i * 12);
  }
  const others = listBoxes(bytes, track.contentAt, track.end)
    .filter(({ type }) => type !== "edts")
    .map(({ at, end }) => bytes.subarray(at, end));
  const [header = Buffer.alloc(0), ...more] = others;
  return makeBox("trak", header, makeBox("edts", makeBox("elst", entries)), ...more);
}

function makeBox(type: string, ...content: Buffer[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.reduce((sum, part) => sum + part.length, 0));
  head.write(type, 4, "latin1");
  return Buffer.concat([head, ...content]);
}

/** Declares the first H.264 track as Dolby Vision of a profile. The index must be the last box. */
export async function declareDolbyVision(
  name: string,
  source: string,
  profile: number,
): Promise<string> {
  const bytes = await readFile(source);
  const box = Buffer.alloc(32);
  box.writeUInt32BE(box.length, 0);
  box.write("dvcC", 4, "latin1");
  // Version 1.0, profile and level 1, with metadata and a base layer for no other screens.
  box.writeUInt8(1, 8);
  box.writeUInt16BE((profile << 9) | (1 << 3) | 0b101, 10);
  // The boxes that contain the sample entry, and the entry itself.
  const parents = ["moov", "trak", "mdia", "minf", "stbl", "stsd", "avc1"];
  let at = bytes.lastIndexOf("moov", undefined, "latin1");
  let end = 0;
  for (const type of parents) {
    at = bytes.indexOf(type, at, "latin1");
    const length = bytes.readUInt32BE(at - 4);
    end = at - 4 + length;
    bytes.writeUInt32BE(length + box.length, at - 4);
  }
  return keepBytes(name, Buffer.concat([bytes.subarray(0, end), box, bytes.subarray(end)]));
}
