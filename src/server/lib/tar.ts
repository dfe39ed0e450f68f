import { OperatorError } from "./app-error.ts";

/** File in an archive. Read its content before requesting the next file. */
export interface TarEntry {
  name: string;
  sizeBytes: number;
  content(): AsyncIterable<Buffer>;
}

const blockBytes = 512;
const maxNameBytes = 100;
/** Maximum size of one file's extended header, which contains its path and size. */
const maxExtendedBytes = 64 * 1024;
const damaged = () => new OperatorError("The file isn't a backup of Kinora, or is damaged.");
/** Largest size that eleven octal digits can express. */
const maxPlainSize = 8 ** 11;

const octal = (value: number, digits: number) => value.toString(8).padStart(digits, "0");
const paddingOf = (sizeBytes: number) => (blockBytes - (sizeBytes % blockBytes)) % blockBytes;

/** Builds a header of the ustar format (POSIX.1-1988). */
function plainHeader(name: string, sizeBytes: number, type: "0" | "x"): Buffer {
  const block = Buffer.alloc(blockBytes);
  block.write(name, 0, maxNameBytes);
  block.write(`0000600\0${octal(0, 7)}\0${octal(0, 7)}\0`, 100);
  block.write(`${octal(sizeBytes, 11)}\0${octal(0, 11)}\0`, 124);
  block.write(`        ${type}`, 148);
  block.write("ustar\u000000", 257);
  block.write(`${octal(checksumOf(block), 6)}\0 `, 148);
  return block;
}

/** Returns the sum of a header's bytes, with the checksum itself as spaces. */
const checksumOf = (header: Buffer): number =>
  header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0);

/** Builds a record of the pax format (POSIX.1-2001): its own length, and a key with its value. */
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const bytes = Buffer.byteLength(rest);
  const length = bytes + String(bytes + String(bytes).length).length;
  return `${length}${rest}`;
}

/**
 * Returns the bytes before a file's content. Long names and large sizes need an extended header.
 */
export function tarHeader(name: string, sizeBytes: number): Buffer {
  const isLong = Buffer.byteLength(name) > maxNameBytes;
  const isLarge = sizeBytes >= maxPlainSize;
  if (!isLong && !isLarge) return plainHeader(name, sizeBytes, "0");
  const records = Buffer.from(paxRecord("path", name) + paxRecord("size", String(sizeBytes)));
  return Buffer.concat([
    plainHeader("extended-header", records.length, "x"),
    records,
    Buffer.alloc(paddingOf(records.length)),
    plainHeader(name, isLarge ? 0 : sizeBytes, "0"),
  ]);
}

/** Returns the bytes after a file's content. */
export const tarPadding = (sizeBytes: number): Buffer => Buffer.alloc(paddingOf(sizeBytes));
export const tarEnd = (): Buffer => Buffer.alloc(2 * blockBytes);

/**
 * Yields the files of an archive in order. @throws OperatorError if it isn't an archive or is
 * truncated.
 */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const input = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);

  /** Reads at least one and at most `maxBytes` bytes. */
  async function readSome(maxBytes: number): Promise<Buffer> {
    while (rest.length === 0) {
      const next = await input.next();
      if (next.done === true) throw new OperatorError("The file is incomplete: it ends early.");
      rest = next.value;
    }
    const piece = rest.subarray(0, maxBytes);
    rest = rest.subarray(piece.length);
    return piece;
  }

  async function readExactly(bytes: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for (let missing = bytes; missing > 0;) {
      const piece = await readSome(missing);
      pieces.push(piece);
      missing -= piece.length;
    }
    return Buffer.concat(pieces);
  }

  for (let extended = new Map<string, string>(); ;) {
    const header = await readExactly(blockBytes);
    if (header.every((byte) => byte === 0)) return;
    const isIntact = Number.parseInt(header.toString("latin1", 148, 156), 8) === checksumOf(header);
    if (!isIntact || header.toString("latin1", 257, 262) !== "ustar") throw damaged();
    const textAt = (from: number, to: number) =>
      header.toString("utf8", from, to).replace(/\0.*$/s, "");
    const sizeBytes = Number(extended.get("size") ?? Number.parseInt(textAt(124, 136), 8));
    if (!Number.isSafeInteger(sizeBytes) || sizeBytes < 0) throw damaged();
    if (textAt(156, 157) === "x") {
      if (sizeBytes > maxExtendedBytes) throw damaged();
      const records = (await readExactly(sizeBytes)).toString("utf8");
      extended = new Map(
        Array.from(records.matchAll(/\d+ (\w+)=(.*)\n/g), ([, key = "", value = ""]) => [
          key,
          value,
        ]),
      );
      await readExactly(paddingOf(sizeBytes));
      continue;
    }
    let missing = sizeBytes;
    async function* content(): AsyncGenerator<Buffer> {
      while (missing > 0) {
        const piece = await readSome(missing);
        missing -= piece.length;
        yield piece;
      }
    }
    yield { name: extended.get("path") ?? textAt(0, 100), sizeBytes, content };
    extended = new Map();
    while (missing > 0) missing -= (await readSome(missing)).length;
    await readExactly(paddingOf(sizeBytes));
  }
}
