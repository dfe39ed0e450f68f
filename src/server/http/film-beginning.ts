import { setTimeout as pause } from "node:timers/promises";
import { Readable } from "node:stream";

/**
 * By then a film on a near line shows its first frame. A browser that meanwhile has to take in
 * megabytes shows it later: 30 of 180 ms.
 */
const pauseMs = 120;
/** What comes at once besides the index: a second of film, within these bounds, in bytes. */
const leastOfFilm = 256 * 1024;
const mostOfFilm = 2 * 1024 * 1024;
/** Less than this is not held back: it costs a browser nothing, and a seek to the end wants it soon. */
const leastBehind = 512 * 1024;

interface Box {
  type: string;
  start: number;
  end: number;
}

/** The boxes of ISO/IEC 14496-12 (4.2) that begin between two places; the last may end outside. */
function* boxesIn(bytes: Buffer, from: number, to: number): Generator<Box> {
  for (let at = from; at + 16 <= Math.min(to, bytes.length);) {
    const short = bytes.readUInt32BE(at);
    const size = short === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : short;
    if (size < 8) return;
    yield { type: bytes.toString("latin1", at + 4, at + 8), start: at, end: at + size };
    at += size;
  }
}

/** Length in seconds as the movie header says it (8.2.2); 0 where it does not. */
function readSeconds(bytes: Buffer, index: Box): number {
  for (const { type, start } of boxesIn(bytes, index.start + 8, index.end)) {
    const isLong = bytes[start + 8] === 1;
    if (type !== "mvhd" || start + 40 > bytes.length) continue;
    const timescale = bytes.readUInt32BE(start + (isLong ? 28 : 20));
    const duration = isLong
      ? Number(bytes.readBigUInt64BE(start + 32))
      : bytes.readUInt32BE(start + 24);
    return timescale === 0 ? 0 : duration / timescale;
  }
  return 0;
}

/**
 * How many bytes of an MP4 file a browser needs before it can play: its index and a second of film.
 * `head` holds the first bytes. Null where the index does not come first, the file is another, or
 * little would be left.
 */
export function beginningBytes(head: Buffer, sizeBytes: number): number | null {
  for (const box of boxesIn(head, 0, head.length)) {
    if (box.type === "mdat") return null;
    if (box.type !== "moov") continue;
    const seconds = readSeconds(head, box);
    const aSecond = seconds > 0 ? (sizeBytes - box.end) / seconds : 0;
    const beginning = Math.ceil(box.end + Math.min(Math.max(aSecond, leastOfFilm), mostOfFilm));
    return sizeBytes - beginning < leastBehind ? null : beginning;
  }
  return null;
}

const untilFirstFrame = () => pause(pauseMs);

async function* inTwoParts(
  film: Readable,
  sizeBytes: number,
  wait: () => Promise<unknown>,
): AsyncGenerator<Buffer> {
  let sentBytes = 0;
  let cut: number | null = null;
  for await (const chunk of film as AsyncIterable<Buffer>) {
    if (sentBytes === 0) cut = beginningBytes(chunk, sizeBytes);
    const untilCut = cut === null ? chunk.length : cut - sentBytes;
    sentBytes += chunk.length;
    if (untilCut >= chunk.length) {
      yield chunk;
      continue;
    }
    cut = null;
    if (untilCut > 0) yield chunk.subarray(0, untilCut);
    await wait();
    yield chunk.subarray(untilCut);
  }
}

/** A film from its first byte: its beginning at once, all else behind the first frame. */
export function beginningFirst(
  film: Readable,
  sizeBytes: number,
  wait: () => Promise<unknown> = untilFirstFrame,
): Readable {
  const paced = Readable.from(inTwoParts(film, sizeBytes, wait), { objectMode: false });
  // A generator that nobody has asked for anything yet would leave the film open.
  return paced.once("close", () => film.destroy());
}
