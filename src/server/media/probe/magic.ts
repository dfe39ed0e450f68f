import { open } from "node:fs/promises";
import type { Container, PictureFormat } from "../facts/input-guards.ts";

/** Kind of a file, detected from its first bytes. `name` is for messages. */
export type FileKind =
  | { kind: "video"; container: Container }
  | { kind: "picture"; format: PictureFormat; name: string }
  | { kind: "other"; name: string }
  | { kind: "empty" }
  | { kind: "unknown" };

const movBoxes = new Set(["ftyp", "moov", "mdat", "wide", "free", "skip", "pnot"]);
/** Brands of `ftyp` that mark audio files. */
const soundBrands = new Set(["M4A ", "M4B ", "M4P "]);
/** Brands of `ftyp` that mark HEIC and AVIF pictures. */
const pictureBrands = new Set(["heic", "heix", "heim", "heis", "mif1", "avif"]);

/** Number of bytes that `detectContainer` needs. */
export const containerHeadBytes = 12;

/** Detects an accepted container from the first bytes of a file. Returns null for anything else. */
export function detectContainer(head: Uint8Array): Container | null {
  const ascii = (from: number, to: number) => String.fromCharCode(...head.subarray(from, to));
  const box = ascii(4, 8);
  if (movBoxes.has(box)) {
    const brand = ascii(8, 12);
    const isOther = box === "ftyp" && (soundBrands.has(brand) || pictureBrands.has(brand));
    return isOther ? null : "mov";
  }
  if (ascii(0, 4) === "\u001aE\u00df\u00a3") return "matroska";
  return ascii(0, 4) === "RIFF" && ascii(8, 12) === "AVI " ? "avi" : null;
}

/** Detects a file's kind from its first bytes. Ignores file names. */
export function readKind(head: Buffer): FileKind {
  if (head.length === 0) return { kind: "empty" };
  const ascii = (from: number, to: number): string => head.toString("latin1", from, to);
  const starts = (hex: string): boolean => head.subarray(0, hex.length / 2).toString("hex") === hex;

  const container = detectContainer(head);
  if (container !== null) return { kind: "video", container };
  if (ascii(4, 8) === "ftyp") {
    const isSound = soundBrands.has(ascii(8, 12));
    return { kind: "other", name: isSound ? "a sound file (M4A)" : "a HEIC or AVIF picture" };
  }

  if (starts("ffd8ff")) return { kind: "picture", format: "jpeg_pipe", name: "a JPEG picture" };
  if (starts("89504e470d0a1a0a")) {
    return { kind: "picture", format: "png_pipe", name: "a PNG picture" };
  }
  if (ascii(0, 4) === "RIFF" && ascii(8, 12) === "WEBP") {
    return { kind: "picture", format: "webp_pipe", name: "a WebP picture" };
  }
  const other = findOther(head, ascii, starts);
  return other === null ? { kind: "unknown" } : { kind: "other", name: other };
}

function findOther(
  head: Buffer,
  ascii: (from: number, to: number) => string,
  starts: (hex: string) => boolean,
): string | null {
  const text = head
    .toString("utf8", 0, 512)
    .replace(/^\uFEFF/, "")
    .trimStart();
  if (ascii(0, 3) === "FLV") return "a Flash video (FLV)";
  if (head[0] === 0x47 && (head.length < 189 || head[188] === 0x47))
    return "a transport stream (TS)";
  if (starts("000001ba") || starts("000001b3")) return "an MPEG-1 or MPEG-2 program stream";
  if (starts("3026b2758e66cf11")) return "a Windows Media file (WMV)";
  if (ascii(0, 4) === "OggS") return "an Ogg file";
  if (ascii(0, 4) === "RIFF" && ascii(8, 12) === "WAVE") return "a sound file (WAV)";
  if (ascii(0, 3) === "ID3" || (head[0] === 0xff && ((head[1] ?? 0) & 0xe6) === 0xe2)) {
    return "a sound file (MP3)";
  }
  if (ascii(0, 4) === "fLaC") return "a sound file (FLAC)";
  if (ascii(0, 4) === "GIF8") return "a GIF picture";
  if (ascii(0, 5) === "%PDF-") return "a PDF document";
  if (ascii(0, 4) === "PK\u0003\u0004") return "a ZIP archive";
  if (text.startsWith("#EXTM3U")) return "a playlist";
  if (text.startsWith("ffconcat")) return "a script";
  if (/^<\?xml|^<svg|^<MPD|^<!DOCTYPE|^<html/i.test(text)) return "a text document (XML or HTML)";
  return null;
}

/** Reads the first bytes of a local file. */
export async function readHead(localPath: string, bytes = 512): Promise<Buffer> {
  const handle = await open(localPath, "r");
  try {
    const buffer = Buffer.alloc(bytes);
    const { bytesRead } = await handle.read(buffer, 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
