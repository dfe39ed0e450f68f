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

/** Start of the Exif data in a PNG or WebP, which may be anywhere in the file. */
const exifChunk = /(?:eXIf|EXIF.{4})(?:Exif\0\0)?(?=II\*\0|MM\0\*)/s;

/**
 * Returns the filter that turns a picture upright, based on its Exif data. Returns null if none is
 * needed or the data is malformed. Phones store upright photos in the sensor's orientation.
 */
export function readOrientation(bytes: Buffer): string | null {
  if (bytes[0] !== 0xff) {
    const chunk = exifChunk.exec(bytes.toString("latin1"));
    if (chunk === null) return null;
    return turns[readTag(bytes.subarray(chunk.index + chunk[0].length))] ?? null;
  }
  for (let at = 2; at + 4 <= bytes.length;) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1];
    const length = bytes.readUInt16BE(at + 2);
    if (marker === 0xda || length < 2) return null;
    if (marker === 0xe1 && bytes.toString("latin1", at + 4, at + 10) === "Exif\0\0") {
      return turns[readTag(bytes.subarray(at + 10, at + 2 + length))] ?? null;
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
