import { createReadStream } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { pipeline } from "node:stream";
import { crc32, createInflateRaw } from "node:zlib";
import { AppError } from "#server/lib/app-error.ts";

/** File in an archive (APPNOTE.TXT of the format, 4.3.12). */
export interface ZipEntry {
  /** As the archive spells it. It may lead anywhere. */
  name: string;
  sizeBytes: number;
  modifiedAt: Date;
  isLink: boolean;
  isEncrypted: boolean;
  method: number;
  storedBytes: number;
  crc: number;
  /** Position of its local header. */
  offset: number;
}

const damaged = (what: string): AppError =>
  new AppError("invalid", `the archive is damaged: ${what}`);

const signatures = {
  local: 0x04034b50,
  entry: 0x02014b50,
  end: 0x06054b50,
  end64: 0x06064b50,
  locator64: 0x07064b50,
} as const;
const endLength = 22;
const maxCommentLength = 0xffff;
const maxDirectoryBytes = 1024 * 1024 * 1024;
/** Values that mean "see the field of 64 bits". */
const none32 = 0xffffffff;
const none16 = 0xffff;
const utf8Flag = 0x800;
const typeMask = 0o170000;
const linkType = 0o120000;

/** Opens an archive, also one beyond 4 GB. Its files are read where they are, without unpacking. */
export async function openZipArchive(path: string) {
  const handle = await open(path, "r");
  try {
    const { size } = await handle.stat();
    const entries = readEntries(await readDirectory(handle, size));
    return {
      entries,
      /** Yields the bytes of a file. @throws AppError invalid if they are damaged. */
      read: (entry: ZipEntry) => readEntry(path, handle, entry),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let read = 0;
  while (read < length) {
    const { bytesRead } = await handle.read(buffer, read, length - read, position + read);
    if (bytesRead === 0) throw damaged("it ends too early");
    read += bytesRead;
  }
  return buffer;
}

/** Returns a number of 64 bits. @throws AppError if JavaScript can't represent it. */
function number64(buffer: Buffer, at: number): number {
  const value = Number(buffer.readBigUInt64LE(at));
  if (!Number.isSafeInteger(value)) throw damaged("a position is out of range");
  return value;
}

async function readDirectory(handle: FileHandle, size: number): Promise<Buffer> {
  const tailLength = Math.min(size, endLength + maxCommentLength);
  const tail = await readAt(handle, size - tailLength, tailLength);
  let at = tail.length - endLength;
  while (at >= 0 && tail.readUInt32LE(at) !== signatures.end) at -= 1;
  if (at < 0) throw damaged("it has no directory");
  let length = tail.readUInt32LE(at + 12);
  let offset = tail.readUInt32LE(at + 16);
  const locatorAt = size - tailLength + at - 20;
  const isLarge = length === none32 || offset === none32 || tail.readUInt16LE(at + 10) === none16;
  if (isLarge && locatorAt >= 0) {
    const locator = await readAt(handle, locatorAt, 20);
    if (locator.readUInt32LE(0) === signatures.locator64) {
      const end = await readAt(handle, number64(locator, 8), 56);
      if (end.readUInt32LE(0) !== signatures.end64) throw damaged("it has no directory");
      length = number64(end, 40);
      offset = number64(end, 48);
    }
  }
  if (length > maxDirectoryBytes || offset + length > size) throw damaged("it has no directory");
  return readAt(handle, offset, length);
}

function readEntries(directory: Buffer): ZipEntry[] {
  const entries: ZipEntry[] = [];
  let at = 0;
  while (at + 46 <= directory.length && directory.readUInt32LE(at) === signatures.entry) {
    const nameEnd = at + 46 + directory.readUInt16LE(at + 28);
    const extraEnd = nameEnd + directory.readUInt16LE(at + 30);
    const flags = directory.readUInt16LE(at + 8);
    if (extraEnd > directory.length) throw damaged("its directory is cut");
    entries.push({
      name: decodeName(directory.subarray(at + 46, nameEnd), (flags & utf8Flag) !== 0),
      ...readSizes(directory, at, directory.subarray(nameEnd, extraEnd)),
      modifiedAt: dateOf(directory.readUInt16LE(at + 14), directory.readUInt16LE(at + 12)),
      isLink: ((directory.readUInt32LE(at + 38) >>> 16) & typeMask) === linkType,
      isEncrypted: (flags & 1) !== 0,
      method: directory.readUInt16LE(at + 10),
      crc: directory.readUInt32LE(at + 16),
    });
    at = extraEnd + directory.readUInt16LE(at + 32);
  }
  return entries;
}

/** Returns sizes and position, from the field of 64 bits if they don't fit into 32. */
function readSizes(directory: Buffer, at: number, extra: Buffer) {
  const given = [20, 24, 42].map((field) => directory.readUInt32LE(at + field));
  let [storedBytes = 0, sizeBytes = 0, offset = 0] = given;
  for (let field = 0; field + 4 <= extra.length; field += 4 + extra.readUInt16LE(field + 2)) {
    if (extra.readUInt16LE(field) !== 1) continue;
    const values = extra.subarray(field + 4, field + 4 + extra.readUInt16LE(field + 2));
    let next = 0;
    const take = (value: number): number => {
      if (value !== none32 || next + 8 > values.length) return value;
      next += 8;
      return number64(values, next - 8);
    };
    sizeBytes = take(sizeBytes);
    storedBytes = take(storedBytes);
    offset = take(offset);
  }
  return { storedBytes, sizeBytes, offset };
}

/** Decodes a name: UTF-8 if it is marked or valid, otherwise one character for each byte. */
function decodeName(bytes: Uint8Array, isMarked: boolean): string {
  try {
    return new TextDecoder("utf-8", { fatal: !isMarked }).decode(bytes);
  } catch {
    return Buffer.from(bytes).toString("latin1");
  }
}

/** Converts the date and time of MS-DOS, which have no time zone. */
const dateOf = (date: number, time: number): Date =>
  new Date(
    Date.UTC(
      ...([1980 + (date >> 9), ((date >> 5) & 15) - 1, date & 31] as const),
      ...([time >> 11, (time >> 5) & 63, (time & 31) * 2] as const),
    ),
  );

async function* readEntry(
  path: string,
  handle: FileHandle,
  { name, offset, method, storedBytes, sizeBytes, crc }: ZipEntry,
): AsyncGenerator<Uint8Array> {
  if (method !== 0 && method !== 8) throw damaged(`${name} uses an unknown compression`);
  const header = await readAt(handle, offset, 30);
  if (header.readUInt32LE(0) !== signatures.local)
    throw damaged(`${name} isn't where it should be`);
  const start = offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  let readBytes = 0;
  let readCrc = 0;
  if (storedBytes > 0) {
    const stored = createReadStream(path, { start, end: start + storedBytes - 1 });
    // An error of the pipeline ends the loop below, too.
    const inflate = method === 0 ? null : createInflateRaw();
    // An error of the pipeline ends the loop below, too.
    if (inflate !== null) pipeline(stored, inflate, () => undefined);
    const plain = inflate ?? stored;
    const pieces: AsyncIterable<Uint8Array> = plain;
    try {
      for await (const bytes of pieces) {
        readBytes += bytes.byteLength;
        if (readBytes > sizeBytes) throw damaged(`${name} is larger than it says`);
        readCrc = crc32(bytes, readCrc);
        yield bytes;
      }
    } catch (error) {
      throw error instanceof AppError ? error : damaged(`${name} can't be read`);
    } finally {
      stored.destroy();
      plain.destroy();
    }
  }
  if (readBytes !== sizeBytes || readCrc !== crc) throw damaged(`${name} is incomplete`);
}
