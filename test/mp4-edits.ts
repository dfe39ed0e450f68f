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
