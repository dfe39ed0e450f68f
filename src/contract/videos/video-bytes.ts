/** Accepted containers, named like ffmpeg's demuxers. */
export type VideoContainer = "mov" | "matroska" | "avi";

/** Number of bytes that `detectContainer` needs. */
export const videoHeadBytes = 12;

const movBoxes = new Set(["ftyp", "moov", "mdat", "wide", "free", "skip", "pnot"]);
/** Brands of `ftyp` that mark pictures and sound files. */
const otherBrands = new Set([
  ...["heic", "heix", "heim", "heis", "mif1", "avif"],
  ...["M4A ", "M4B ", "M4P "],
]);

/** Detects the container by the first bytes of a file; null for anything else. */
export function detectContainer(head: Uint8Array): VideoContainer | null {
  const ascii = (from: number, to: number) => String.fromCharCode(...head.subarray(from, to));
  const box = ascii(4, 8);
  if (movBoxes.has(box)) {
    return box === "ftyp" && otherBrands.has(ascii(8, 12)) ? null : "mov";
  }
  if (ascii(0, 4) === "\u001aE\u00df\u00a3") return "matroska";
  return ascii(0, 4) === "RIFF" && ascii(8, 12) === "AVI " ? "avi" : null;
}
