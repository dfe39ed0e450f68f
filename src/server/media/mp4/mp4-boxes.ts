/** A box of a MP4 (ISO 14496-12, 4.2) whose content is in memory. */
interface Box {
  type: string;
  content: Buffer;
}

/** The boxes one after another; throws where one is cut. */
export function* readBoxes(bytes: Buffer): Generator<Box> {
  for (let at = 0; at + 8 <= bytes.length;) {
    const declared = bytes.readUInt32BE(at);
    const headBytes = declared === 1 ? 16 : 8;
    const length =
      declared === 1
        ? Number(bytes.readBigUInt64BE(at + 8))
        : declared === 0
          ? bytes.length - at
          : declared;
    if (length < headBytes || at + length > bytes.length) throw new RangeError("a box is cut");
    yield {
      type: bytes.toString("latin1", at + 4, at + 8),
      content: bytes.subarray(at + headBytes, at + length),
    };
    at += length;
  }
}

/** The content of the only box of a type; null where there is none, or several. */
export function findBox(bytes: Buffer, ...[type, ...below]: [string, ...string[]]): Buffer | null {
  const found = [...readBoxes(bytes)].filter((box) => box.type === type);
  const [only] = found;
  if (only === undefined || found.length > 1) return null;
  const [next, ...rest] = below;
  return next === undefined ? only.content : findBox(only.content, next, ...rest);
}

export function hasBox(bytes: Buffer, ...types: string[]): boolean {
  for (const { type } of readBoxes(bytes)) if (types.includes(type)) return true;
  return false;
}

/** The entries of a table box: version and flags, a count, and entries of so many bytes. */
export function readTable<T>(content: Buffer, entryBytes: number, read: (entry: Buffer) => T): T[] {
  const count = content.readUInt32BE(4);
  if (8 + count * entryBytes > content.length) throw new RangeError("a table is cut");
  return Array.from({ length: count }, (_, at) =>
    read(content.subarray(8 + at * entryBytes, 8 + (at + 1) * entryBytes)),
  );
}
