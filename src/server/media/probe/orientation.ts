/** ffmpeg filters by value of the Exif orientation tag (Exif 2.32, tag 0x0112). */
const turns: Record<number, string> = {
  2: "hflip",
  3: "hflip,vflip",
  4: "vflip",
  5: "transpose=0",
  6: "transpose=1",
  7: "transpose=3",
  8: "transpose=2",
};

/**
 * Returns the filter that turns a JPEG upright, based on the Exif segment in its first bytes.
 * Returns null if none is needed or the segment is malformed. Phones store upright photos in the
 * sensor's orientation.
 */
export function readOrientation(head: Buffer): string | null {
  for (let at = 2; at + 4 <= head.length;) {
    if (head[at] !== 0xff) return null;
    const marker = head[at + 1];
    const length = head.readUInt16BE(at + 2);
    if (marker === 0xda || length < 2) return null;
    if (marker === 0xe1 && head.toString("latin1", at + 4, at + 10) === "Exif\0\0") {
      return turns[readTag(head.subarray(at + 10, at + 2 + length))] ?? null;
    }
    at += 2 + length;
  }
  return null;
}

/** Returns the orientation in the first directory of a TIFF block, or 0 if it has none. */
function readTag(tiff: Buffer): number {
  if (tiff.length < 8) return 0;
  const isLittleEndian = tiff.toString("latin1", 0, 2) === "II";
  const u16 = (at: number): number =>
    at + 2 > tiff.length ? 0 : isLittleEndian ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at);
  const directory = isLittleEndian ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  const count = Math.min(u16(directory), 200);
  for (let i = 0; i < count; i += 1) {
    const entry = directory + 2 + i * 12;
    if (u16(entry) === 0x0112) return u16(entry + 8);
  }
  return 0;
}
