import { createRandom, type Random } from "../../reference/random.ts";

export interface Sample {
  /** Special feature of the file. */
  title: string;
  /** File name with the extension of its container. */
  fileName: string;
  bytes: Buffer;
}

interface Mutation {
  /** Such as "box sizes, bits of Motion JPEG in AVI". */
  title: string;
  fileName: string;
  bytes: Buffer;
}

type Change = (bytes: Buffer, random: Random, samples: readonly Sample[]) => Buffer;

/** Bytes at the start and the end, which contain most of the data that parsers trust. */
const indexBytes = 4096;

/** Returns a position in a file, half of the time in its index. */
function place(bytes: Buffer, random: Random): number {
  const last = Math.max(1, bytes.length);
  switch (random.below(4)) {
    case 0:
      return random.below(Math.min(last, indexBytes));
    case 1:
      return last - 1 - random.below(Math.min(last, indexBytes));
    default:
      return random.below(last);
  }
}

/** Returns the start and end of a short or long part. */
function part(bytes: Buffer, random: Random): [start: number, end: number] {
  const start = place(bytes, random);
  const length = 1 + random.below(random.pick([8, 64, 1024, 65_536]));
  return [start, Math.min(bytes.length, start + length)];
}

const names = [
  ..."ftyp moov mvhd trak tkhd edts elst mdia mdhd hdlr minf stbl stsd stts ctts".split(" "),
  ..."stsc stsz stco co64 stss avc1 avcC mp4a esds mdat moof traf tfhd trun mvex udta".split(" "),
  ..."RIFF LIST hdrl avih strl strh strf movi idx1 00dc 01wb JUNK".split(" "),
].map((name) => Buffer.from(name, "latin1"));
/** Element ids of Matroska: EBML, segment, info, tracks, cluster, cues, seek head. */
const elementIds = [
  ...["1a45dfa3", "18538067", "1549a966", "1654ae6b", "1f43b675", "1c53bb6b", "114d9b74"],
].map((id) => Buffer.from(id, "hex"));

/** Finds the positions of box, chunk and element names. Most are near the start or the end. */
function findHeaders(bytes: Buffer): number[] {
  const found: number[] = [];
  for (const name of [...names, ...elementIds]) {
    let at = bytes.indexOf(name);
    for (let count = 0; at >= 0 && count < 8; count += 1) {
      found.push(at);
      at = bytes.indexOf(name, at + 4);
    }
  }
  return found;
}

const oddNumbers = [
  ...[0, 1, 2, 7, 8, 15, 0x7f, 0xff, 0x100, 0x7fff, 0xffff, 0x10000, 0xffffff],
  ...[0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff],
];

function writeNumber(bytes: Buffer, at: number, random: Random): void {
  if (at < 0 || at + 4 > bytes.length) return;
  const before = bytes.readUInt32BE(at);
  const number =
    random.below(2) === 0 ? random.pick(oddNumbers) : before + random.pick([-8, -1, 1, 8, 256]);
  const value = number >>> 0;
  if (random.below(4) === 0) bytes.writeUInt32LE(value, at);
  else bytes.writeUInt32BE(value, at);
}

const changes: Readonly<Record<string, Change>> = {
  bits(bytes, random) {
    for (let count = 1 + random.below(random.pick([1, 8, 64])); count > 0; count -= 1) {
      const at = place(bytes, random);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
    }
    return bytes;
  },
  truncation: (bytes, random) => bytes.subarray(0, place(bytes, random)),
  "no beginning": (bytes, random) => bytes.subarray(place(bytes, random)),
  "box sizes"(bytes, random) {
    const headers = findHeaders(bytes);
    if (headers.length === 0) return bytes;
    for (let count = 1 + random.below(3); count > 0; count -= 1) {
      // The size precedes the name in MP4 and follows it in AVI and Matroska.
      const at = random.pick(headers);
      writeNumber(bytes, at + random.pick([-4, -4, 4]), random);
    }
    return bytes;
  },
  "box names"(bytes, random) {
    const headers = findHeaders(bytes);
    if (headers.length > 0) random.pick(names).copy(bytes, random.pick(headers));
    return bytes;
  },
  numbers(bytes, random) {
    for (let count = 1 + random.below(6); count > 0; count -= 1) {
      writeNumber(bytes, place(bytes, random), random);
    }
    return bytes;
  },
  splice(bytes, random, samples) {
    const other = random.pick(samples).bytes;
    const [start, end] = part(other, random);
    const at = place(bytes, random);
    const skipped = random.below(2) === 0 ? end - start : 0;
    return Buffer.concat([
      bytes.subarray(0, at),
      other.subarray(start, end),
      bytes.subarray(at + skipped),
    ]);
  },
  "another end": (bytes, random, samples) => {
    const other = random.pick(samples).bytes;
    return Buffer.concat([
      bytes.subarray(0, place(bytes, random)),
      other.subarray(place(other, random)),
    ]);
  },
  "swapped parts"(bytes, random) {
    const [start, end] = part(bytes, random);
    const [otherStart] = part(bytes, random);
    const length = Math.min(end - start, bytes.length - otherStart);
    const first = Buffer.from(bytes.subarray(start, start + length));
    const second = Buffer.from(bytes.subarray(otherStart, otherStart + length));
    second.copy(bytes, start);
    first.copy(bytes, otherStart);
    return bytes;
  },
  repetition(bytes, random) {
    const [start, end] = part(bytes, random);
    const copies = Array.from({ length: 1 + random.below(20) }, () => bytes.subarray(start, end));
    return Buffer.concat([bytes.subarray(0, end), ...copies, bytes.subarray(end)]);
  },
  "one byte"(bytes, random) {
    const [start, end] = part(bytes, random);
    return bytes.fill(random.pick([0, 0xff, 0x41]), start, end);
  },
};

/**
 * Returns mutation number N: a sample changed in up to three ways. Depends only on the seed and the
 * number.
 */
export function makeMutation(samples: readonly Sample[], seed: number, number: number): Mutation {
  const random = createRandom(Math.imul(seed, 1_000_003) + number);
  const { title, fileName, bytes: original } = random.pick(samples);
  let bytes: Buffer = Buffer.from(original);
  const made: string[] = [];
  for (let count = random.pick([1, 1, 2, 3]); count > 0 && bytes.length > 0; count -= 1) {
    const name = random.pick(Object.keys(changes));
    bytes = changes[name]?.(bytes, random, samples) ?? bytes;
    made.push(name);
  }
  return { title: `${made.join(", ")} of ${title}`, fileName, bytes };
}
