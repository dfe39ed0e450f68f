import { open, type FileHandle } from "node:fs/promises";
import { readAt } from "./read-at.ts";
import { readBox } from "./read-box.ts";

/** Maximum number of top-level boxes: more than a day of segments has. */
const maxBoxes = 500_000;

/**
 * Checks by its structure that a finished file is complete. Looks at the boxes of an MP4 or AVIF,
 * the size in a WebP header, and the end marker of a JPEG.
 * @returns the problem, or null for a complete file and for other types.
 */
export async function findStructureProblem(path: string): Promise<string | null> {
  const handle = await open(path, "r");
  try {
    const { size } = await handle.stat();
    if (size === 0) return "it is empty";
    if (/\.(mp4|avif)$/.test(path)) return await checkBoxes(handle, size);
    if (path.endsWith(".webp")) return await checkWebp(handle, size);
    if (path.endsWith(".jpg")) return await checkJpeg(handle, size);
    return null;
  } finally {
    await handle.close();
  }
}

async function checkBoxes(handle: FileHandle, size: number): Promise<string | null> {
  const types = new Set<string>();
  let count = 0;
  for (let at = 0; at < size; count += 1) {
    const box = count > maxBoxes ? null : await readBox(handle, at, size);
    if (box === null || !/^[ -~]{4}$/.test(box.type)) return `no box begins at byte ${at}`;
    const { type, length } = box;
    if (length < 8 || at + length > size) return `the box ${type} at byte ${at} is cut`;
    types.add(type);
    at += length;
  }
  return types.has("moov") || types.has("meta") ? null : "it has no index";
}

async function checkWebp(handle: FileHandle, size: number): Promise<string | null> {
  const head = await readAt(handle, 0, 12);
  const isWebp = head.toString("latin1", 0, 4) === "RIFF" && head.toString("latin1", 8) === "WEBP";
  if (!isWebp) return "it is not a WebP picture";
  const expected = head.readUInt32LE(4) + 8;
  return expected <= size ? null : `it has ${size} of ${expected} bytes`;
}

async function checkJpeg(handle: FileHandle, size: number): Promise<string | null> {
  const [head, end] = [await readAt(handle, 0, 2), await readAt(handle, Math.max(0, size - 2), 2)];
  return head.toString("hex") === "ffd8" && end.toString("hex") === "ffd9" ? null : "it is cut";
}
