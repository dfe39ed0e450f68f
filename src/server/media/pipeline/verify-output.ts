import { open, readFile, stat, writeFile, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { AppError, hasCode } from "#server/lib/app-error.ts";
import { readDiskSpace } from "#server/lib/disk-space.ts";
import { smallJobLimits } from "../facts/process-limits.ts";
import { ownInput } from "../facts/input-guards.ts";
import { findRangeProblem, readRanges, type ByteRange } from "../plan/playlist-ranges.ts";
import { readPlaylist } from "../plan/master-playlist.ts";
import { listDecoderErrors } from "../probe/decoder-errors.ts";
import { readAt } from "../probe/read-at.ts";
import { isFileFailure, lastLines, UnverifiedOutputError } from "../run/media-process-error.ts";
import { readBox } from "../probe/read-box.ts";
import { findOutputFacts, isSameDuration } from "./check-output.ts";
import type { PipelineContext, SourceVideo, MediaFile } from "./pipeline-context.ts";

/** Maximum number of top-level boxes: more than a day of segments has. */
const maxBoxes = 500_000;

/**
 * Checks by its structure that a finished file is complete. Looks at the boxes of an MP4 or AVIF,
 * the size in a WebP header, and the end marker of a JPEG.
 * @returns the problem, or null for a complete file and for other types.
 */
async function findStructureProblem(path: string): Promise<string | null> {
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

/**
 * Minimum free space. With less, no step starts, and an incomplete output counts as a full disk.
 */
const minFreeBytes = 4 * 2 ** 20;
/** Number of seconds to decode at each end of a file. */
const decodedS = 2;
/** Maximum number of files in one run. Newer versions of ffmpeg start four threads for each. */
const maxInputs = 16;
/** Maximum size of a segment, because segments are read into memory one by one. */
const maxSegmentBytes = 64 * 2 ** 20;

/** @throws UnverifiedOutputError `disk-full` if the disk of a work folder is almost full. */
export async function expectFreeSpace(workDir: string): Promise<void> {
  if (await isDiskFull(workDir)) {
    throw new UnverifiedOutputError(path.basename(workDir), "not enough free space to begin", true);
  }
}

async function isDiskFull(folder: string): Promise<boolean> {
  const { freeBytes } = await readDiskSpace(folder);
  return freeBytes < minFreeBytes;
}

/** Reads a step's output. Reports the output as incomplete if that fails. */
export async function readingOutput<T>(name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof AppError) throw error;
    const problem = error instanceof Error ? error.message : String(error);
    throw new UnverifiedOutputError(name, problem, hasCode(error, "ENOSPC", "EDQUOT"));
  }
}

/**
 * Verifies all files of a step, because media tools report success even if a full disk truncated
 * their output. Compares playlists with file sizes, compares durations, checks that no file is
 * truncated, and decodes the start and end of encoded files.
 * @param isCopy true if the picture is the source's. Its damage isn't the output's fault.
 * @throws UnverifiedOutputError `disk-full` or `unverified`
 */
export async function verifyOutput(
  pipeline: PipelineContext,
  source: SourceVideo,
  files: readonly MediaFile[],
  { isCopy = false }: { isCopy?: boolean } = {},
): Promise<void> {
  const fail = async (file: { name: string }, problem: string): Promise<never> => {
    const isFull = await isDiskFull(source.workDir);
    pipeline.logger.warn({ file: file.name, problem, isFull }, "an output is incomplete");
    throw new UnverifiedOutputError(file.name, problem, isFull);
  };
  const clips: string[] = [];
  for (const file of files) {
    const problem = (await findSizeProblem(file)) ?? (await findStructureProblem(file.path));
    if (problem !== null) await fail(file, problem);
    if (file.role === "hls_playlist") {
      const found = await checkPlaylist(file);
      if (found !== null) await fail(file, found);
      clips.push(...(await cutEnds(file, path.join(source.workDir, "verify"))));
    }
    if (file.name.endsWith(".mp4") && file.role !== "hls_media") {
      const { durationS } = file;
      // The step that made the first playable file has already read its duration.
      if (durationS !== null && file.role !== "progressive") {
        const facts = await findOutputFacts(pipeline, file.path, source.signal);
        if (facts === null) return fail(file, "it contains no video");
        // A truncated file is shorter. A longer one is complete.
        if (facts.durationS < durationS && !isSameDuration(facts.durationS, durationS)) {
          await fail(file, `it lasts ${facts.durationS} s instead of ${durationS} s`);
        }
      }
      if (!isCopy) {
        const undecodable = await decodeEnds(pipeline, source, file.path);
        if (undecodable !== null) await fail(file, undecodable);
      }
    }
  }
  for (let at = 0; at < clips.length; at += maxInputs) {
    const inputs = clips.slice(at, at + maxInputs).map(toInput);
    const undecodable = await decode(pipeline, source, inputs);
    if (undecodable !== null) await fail({ name: "hls" }, undecodable);
  }
}

async function findSizeProblem({ path: file, sizeBytes }: MediaFile): Promise<string | null> {
  const size = await stat(file).then(
    (info) => info.size,
    () => null,
  );
  if (size === null) return "it is missing";
  return size === sizeBytes ? null : `it has ${size} of ${sizeBytes} bytes`;
}

async function checkPlaylist(file: MediaFile): Promise<string | null> {
  const text = await readFile(file.path, "utf8");
  const folder = path.dirname(file.path);
  const names = new Set(readRanges(text).segments.map(({ uri }) => uri));
  const sizes = new Map<string, number>();
  for (const name of names) {
    const info = await stat(path.join(folder, path.basename(name))).catch(() => null);
    if (info !== null) sizes.set(name, info.size);
  }
  const problem = findRangeProblem(text, (uri) => sizes.get(uri) ?? null);
  if (problem !== null) return problem;
  return readPlaylist(text).durationS > 0 ? null : "it has no duration";
}

/** Writes the first and last segment of a playlist in the way players assemble them. */
async function cutEnds(playlist: MediaFile, target: string): Promise<string[]> {
  const { head, segments } = readRanges(await readFile(playlist.path, "utf8"));
  const ends = [...new Set([...segments.slice(0, 1), ...segments.slice(-1)])].filter(
    ({ length }) => length <= maxSegmentBytes,
  );
  const folder = path.dirname(playlist.path);
  const name = path.basename(playlist.name, ".m3u8");
  const clips: string[] = [];
  for (const [at, segment] of ends.entries()) {
    const ranges = head === null ? [segment] : [head, segment];
    const parts = await Promise.all(ranges.map((range) => readRange(folder, range)));
    const clip = `${target}-${name}-${at}.mp4`;
    await writeFile(clip, Buffer.concat(parts));
    clips.push(clip);
  }
  return clips;
}

async function readRange(folder: string, { uri, offset, length }: ByteRange): Promise<Buffer> {
  const handle = await open(path.join(folder, path.basename(uri)), "r");
  try {
    return await readAt(handle, offset, length);
  } finally {
    await handle.close();
  }
}

interface DecoderInput {
  path: string;
  args: string[];
}

const toInput = (file: string): DecoderInput => ({
  path: file,
  args: ["-t", String(decodedS), ...ownInput(file)],
});

function decodeEnds(
  pipeline: PipelineContext,
  source: SourceVideo,
  file: string,
): Promise<string | null> {
  return decode(pipeline, source, [
    toInput(file),
    { path: file, args: ["-sseof", String(-decodedS), ...ownInput(file)] },
  ]);
}

/**
 * Decodes inputs in one run. @returns the problem, or null if each stream decodes without errors.
 */
async function decode(
  pipeline: PipelineContext,
  { signal }: SourceVideo,
  inputs: readonly DecoderInput[],
): Promise<string | null> {
  try {
    const { stderr } = await pipeline.tools.ffmpeg({
      name: "verify",
      args: [
        ...inputs.flatMap(({ args }) => args),
        ...inputs.flatMap((_, at) => ["-map", String(at)]),
        ...["-abort_on", "empty_output_stream", "-f", "null", "-"],
      ],
      cwd: pipeline.emptyDir,
      inputs: [...new Set(inputs.map((input) => input.path))],
      isLowPriority: true,
      limits: smallJobLimits,
      signal,
    });
    const [first] = listDecoderErrors(stderr);
    return first ?? null;
  } catch (error) {
    if (!isFileFailure(error)) throw error;
    // The structure has been checked. This ffmpeg can encode AV1 but can't decode it.
    if (/Decoder .*not found|Unknown decoder/.test(error.result.stderr)) return null;
    return lastLines(error.result.stderr, 2);
  }
}
