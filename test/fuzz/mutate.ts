import { createRandom, type Random } from "../reference/random.ts";

export interface Sample {
  /** Special feature of the file. */
  title: string;
  /** File name with the extension of its container. */
  fileName: string;
  bytes: Buffer;
}

/** Bytes at the start and the end, which contain most of the data that parsers trust. */
const indexBytes = 4096;

/** Returns a position in a file, half of the time in its index. */
function place({ length }: Buffer, random: Random): number {
  const inIndex = random.below(Math.max(1, Math.min(length, indexBytes)));
  return random.pick([inIndex, length - 1 - inIndex, ...[1, 2].map(() => random.below(length))]);
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
const elementIds = "1a45dfa3 18538067 1549a966 1654ae6b 1f43b675 1c53bb6b 114d9b74"
  .split(" ")
  .map((id) => Buffer.from(id, "hex"));

/** Finds the first positions of each box, chunk and element name. */
function findHeaders(bytes: Buffer): number[] {
  return [...names, ...elementIds].flatMap((name) => {
    const found: number[] = [];
    let at = bytes.indexOf(name);
    for (; at >= 0 && found.length < 8; at = bytes.indexOf(name, at + 4)) found.push(at);
    return found;
  });
}

const oddNumbers = [
  ...[0, 1, 2, 7, 8, 15, 0x7f, 0xff, 0x100, 0x7fff, 0xffff, 0x10000, 0xffffff],
  ...[0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff],
];
function writeNumber(bytes: Buffer, at: number, random: Random): void {
  if (at < 0 || at + 4 > bytes.length) return;
  const near = bytes.readUInt32BE(at) + random.pick([-8, -1, 1, 8, 256]);
  const value = random.pick([random.pick(oddNumbers), near]) >>> 0;
  if (random.below(4) === 0) bytes.writeUInt32LE(value, at);
  else bytes.writeUInt32BE(value, at);
}

function repeat(times: number, change: () => void): void {
  for (let left = times; left > 0; left -= 1) change();
}

type Change = (bytes: Buffer, random: Random, other: Buffer) => Buffer | void;
const changes: Readonly<Record<string, Change>> = {
  bits(bytes, random) {
    repeat(1 + random.below(random.pick([1, 8, 64])), () => {
      const at = place(bytes, random);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
    });
  },
  truncation: (bytes, random) => bytes.subarray(0, place(bytes, random)),
  "no beginning": (bytes, random) => bytes.subarray(place(bytes, random)),
  "box sizes"(bytes, random) {
    const headers = findHeaders(bytes);
    // The size precedes the name in MP4 and follows it in AVI and Matroska.
    repeat(headers.length && 1 + random.below(3), () =>
      writeNumber(bytes, random.pick(headers) + random.pick([-4, -4, 4]), random),
    );
  },
  "box names"(bytes, random) {
    const headers = findHeaders(bytes);
    if (headers.length > 0) random.pick(names).copy(bytes, random.pick(headers));
  },
  numbers: (bytes, random) =>
    repeat(1 + random.below(6), () => writeNumber(bytes, place(bytes, random), random)),
  splice(bytes, random, other) {
    const [start, end] = part(other, random);
    const at = place(bytes, random);
    const rest = bytes.subarray(at + random.pick([0, end - start]));
    return Buffer.concat([bytes.subarray(0, at), other.subarray(start, end), rest]);
  },
  "another end": (bytes, random, other) =>
    Buffer.concat([bytes.subarray(0, place(bytes, random)), other.subarray(place(other, random))]),
  "swapped parts"(bytes, random) {
    const [start, end] = part(bytes, random);
    const [otherStart] = part(bytes, random);
    const first = Buffer.from(bytes.subarray(start, end));
    bytes.copyWithin(start, otherStart, otherStart + first.length);
    first.copy(bytes, otherStart);
  },
  repetition(bytes, random) {
    const [start, end] = part(bytes, random);
    const copies = Array.from({ length: 1 + random.below(20) }, () => bytes.subarray(start, end));
    return Buffer.concat([bytes.subarray(0, end), ...copies, bytes.subarray(end)]);
  },
  "one byte"(bytes, random) {
    bytes.fill(random.pick([0, 0xff, 0x41]), ...part(bytes, random));
  },
};

/**
 * Returns mutation number N: a sample changed in up to three ways. Depends only on the seed and the
 * number.
 */
export function makeMutation(samples: readonly Sample[], seed: number, number: number): Sample {
  const random = createRandom(Math.imul(seed, 1_000_003) + number);
  const { title, fileName, bytes: original } = random.pick(samples);
  let bytes: Buffer = Buffer.from(original);
  const made: string[] = [];
  for (let count = random.pick([1, 1, 2, 3]); count > 0 && bytes.length > 0; count -= 1) {
    const [name, change] = random.pick(Object.entries(changes));
    bytes = change(bytes, random, random.pick(samples).bytes) ?? bytes;
    made.push(name);
  }
  return { title: `${made.join(", ")} of ${title}`, fileName, bytes };
}
