import { readFile } from "node:fs/promises";
import { dolbyVisionMatrix } from "#server/media/facts/media-facts.ts";
import type { TestMedia } from "#server/media/media.fixture.ts";
import type { MediaFile } from "#server/media/pipeline/pipeline-context.ts";
import { processOnce, type ProcessRun } from "#server/media/pipeline/process-run.fixture.ts";
import {
  chooseTracks,
  decode,
  ffmpegPath,
  readBox,
  runTool,
  soundRate,
  type Frame,
  type Pixels,
  type Shown,
  type Size,
} from "./decode-media.ts";
import type { GridClip } from "./media-grid.ts";
import type { PlayedPart } from "./mp4-edits.ts";

// Compares what Kinora serves with what its source shows. The source is decoded by ffmpeg alone,
// with its own handling of edit lists, rotation and colors. Its handling of edit lists depends on
// the codec, so if the file without the list is known, its parts are joined here.

/** Maximum number of moments to compare in each file. */
const maxMoments = 40;
/** Maximum difference of durations, which covers the last packet of AAC. */
const slackS = 0.1;

/** Minimum similarity of pictures. Tiles are small, and made by a scaler that moves edges. */
const minSimilarity = { video: 0.85, hdr: 0.8, small: 0.7, tile: 0.5 };
/** Maximum difference of a channel between fields of two pictures, 0 to 255. */
const maxColorDifference = { video: 14, small: 24, tile: 60 };
/** Minimum correlation of two pieces of sound. */
const minCorrelation = 0.6;
/** Length of such a piece, and how far it may be displaced by an encoder. */
const [pieceS, maxLagS] = [0.25, 0.06];

/** Processes a clip once, and lists the differences between what is served and what it shows. */
export async function processAndCompare(at: TestMedia, clip: GridClip): Promise<string[]> {
  return await listDifferences(at, clip.file, await processOnce(at, clip.file), clip);
}

/**
 * Lists all differences between the served files of a run and what its source shows: duration, order
 * of frames, pictures, colors, sound and times of captions.
 */
export async function listDifferences(
  at: TestMedia,
  source: string,
  run: ProcessRun,
  { edited = null }: { edited?: GridClip["edited"] } = {},
): Promise<string[]> {
  const whole = edited?.file ?? source;
  const tracks = await chooseTracks(whole);
  const box = await readBox(whole, tracks);
  const decoded = await decode(at, whole, { ...box, ...tracks, isSource: true });
  // Nothing at the start isn't part of the video.
  const parts = edited?.parts.slice(edited.parts.findIndex(({ fromS }) => fromS !== null));
  const shown = parts === undefined ? decoded : playParts(decoded, parts);
  const [first] = shown.frames;
  if (first === undefined) return ["ffmpeg shows no frame of the source"];
  const { isHdr, colorMatrix } = run.facts.video;
  // ffmpeg can't show the colors of Dolby Vision without a base layer.
  const isUnknown = colorMatrix === dolbyVisionMatrix;
  const look = (kind: keyof typeof maxColorDifference): Look => ({
    width: box.width,
    height: box.height,
    isHdr,
    minSimilarity: isUnknown ? -1 : isHdr ? minSimilarity.hdr : minSimilarity[kind],
    maxColorDifference: isHdr ? 255 : maxColorDifference[kind],
  });
  const expectedS = Math.max(shown.videoEndS, (shown.sound?.length ?? 0) / soundRate);
  const differences: string[] = run.result.problems.map(
    ({ step, message }) => `${step}: ${message}`,
  );
  const report = (file: Pick<MediaFile, "name">, found: readonly string[]): void => {
    differences.push(...found.map((each) => `${file.name}: ${each}`));
  };

  const sounds = run.all("hls_playlist").filter(({ width }) => width === null);
  const hasSound = shown.sound !== null;
  const hasTrack = run.facts.audio !== null;
  if (hasSound !== hasTrack) differences.push("only one of source and video has sound");
  const videos = [
    ...run.all("progressive"),
    ...run.all("progressive_small"),
    ...run.all("hls_playlist").filter(({ width }) => width !== null),
  ];
  for (const file of videos) {
    const served = await decode(at, file.path, { ...box, video: 0, audio: 0 });
    report(file, compareShape(file, box));
    const isHls = file.role === "hls_playlist";
    const reachedS = Math.max(served.videoEndS, (served.sound?.length ?? 0) / soundRate);
    // A rendition may end a little before the sound, which is in a file of its own.
    const lengthS = isHls ? Math.min(expectedS, Math.max(shown.videoEndS, reachedS)) : expectedS;
    report(file, compareLength(reachedS, lengthS, stepOf(served)));
    report(file, comparePictures(shown, served, look("video")));
    if (hasSound && !isHls) report(file, compareSound(shown, served));
    if (file.name.startsWith("original"))
      report(file, await findHiddenFrames(at, file, served, box));
  }
  for (const file of sounds.slice(0, 1)) {
    const { sound } = await decode(at, file.path, { ...box, video: null, audio: 0 });
    report(file, compareSound(shown, { sound }));
  }
  // Seeking in a damaged file shows other parts of it than playing.
  if (shown.isDamaged) return differences;
  for (const file of [...run.all("poster"), ...run.all("thumbnail")]) {
    const { frames } = await decode(at, file.path, { ...box, video: 0, audio: null });
    const [picture] = frames;
    const isShown = shown.frames.some(({ pixels }) =>
      isAlike(pixels, picture?.pixels, look("small")),
    );
    if (!isShown) report(file, ["it shows a picture that isn't in the source"]);
  }
  for (const file of run.all("preview")) {
    const served = await decode(at, file.path, { ...box, video: 0, audio: null });
    report(file, comparePreview(shown, served, look("small")));
  }
  report({ name: "storyboard" }, await compareStoryboard(run, shown, look("tile")));
  if (run.texts.tracks.length > 0) {
    report({ name: "captions" }, await compareCaptions(whole, run, expectedS, parts));
  }
  return differences;
}

/** Plays parts of a video one after the other. */
function playParts(whole: Shown, parts: readonly PlayedPart[]): Shown {
  const frames: Frame[] = [];
  const lengthS = parts.reduce((sum, part) => sum + part.lengthS, 0);
  const sound = new Float32Array(Math.round(lengthS * soundRate));
  let startS = 0;
  for (const part of parts) {
    const { fromS } = part;
    if (fromS !== null) {
      const endS = fromS + part.lengthS;
      const visible = whole.frames.findLast(({ atS }) => atS <= fromS + 0.001);
      const later = whole.frames.filter(({ atS }) => atS > fromS + 0.001 && atS < endS - 0.001);
      if (visible !== undefined) frames.push({ ...visible, atS: startS });
      for (const frame of later) frames.push({ ...frame, atS: startS + frame.atS - fromS });
      const [first, last] = [Math.round(fromS * soundRate), Math.round(endS * soundRate)];
      sound.set(whole.sound?.subarray(first, last) ?? [], Math.round(startS * soundRate));
    }
    startS += part.lengthS;
  }
  const { isDamaged } = whole;
  return { frames, videoEndS: startS, sound: whole.sound === null ? null : sound, isDamaged };
}

// Comparing pictures

interface Look extends Size {
  isHdr: boolean;
  minSimilarity: number;
  maxColorDifference: number;
}

function compareShape(file: MediaFile, box: Size): string[] {
  const shape = (file.width ?? 1) / (file.height ?? 1);
  const isSame = Math.abs(shape / (box.width / box.height) - 1) < 0.06;
  return isSame
    ? []
    : [`it has ${file.width}x${file.height}, but the source is ${box.width}:${box.height}`];
}

const compareLength = (servedS: number, shownS: number, stepS: number): string[] =>
  Math.abs(servedS - shownS) <= Math.max(slackS, shownS * 0.01, stepS * 1.6)
    ? []
    : [`it lasts ${servedS.toFixed(2)} s instead of ${shownS.toFixed(2)} s`];

/** Returns the average distance between frames. */
function stepOf({ frames }: Shown): number {
  const spanS = (frames.at(-1)?.atS ?? 0) - (frames[0]?.atS ?? 0);
  return spanS > 0 ? spanS / (frames.length - 1) : 0.04;
}

/** Compares what two files show at the same moments. */
function comparePictures(shown: Shown, served: Shown, look: Look): string[] {
  const slack = stepOf(served) + 0.012;
  const wrong: string[] = [];
  const moments = pick(shown.frames, maxMoments).map((frame) => {
    const next = shown.frames[shown.frames.indexOf(frame) + 1];
    return (Math.max(0, frame.atS) + (next?.atS ?? shown.videoEndS)) / 2;
  });
  for (const momentS of moments) {
    const picture = frameAt(served.frames, momentS)?.pixels;
    const near = framesBetween(shown.frames, momentS - slack, momentS + slack);
    if (near.some(({ pixels }) => isAlike(pixels, picture, look))) continue;
    wrong.push(`at ${momentS.toFixed(2)} s ${explain(shown, near, picture, look)}`);
  }
  const allowed = shown.isDamaged ? Math.ceil(moments.length / 2) : 0;
  return wrong.length <= allowed
    ? []
    : [`${wrong.length} of ${moments.length} pictures differ: ${wrong[0]}`];
}

function explain(
  shown: Shown,
  near: readonly Frame[],
  picture: Pixels | undefined,
  look: Look,
): string {
  if (picture === undefined) return "it shows nothing";
  const best = (frames: readonly Frame[]) =>
    frames
      .map(({ atS, pixels }) => ({ atS, similarity: compareLook(pixels, picture, look), pixels }))
      .toSorted((a, b) => b.similarity - a.similarity)[0];
  const expected = best(near);
  const other = best(pick(shown.frames, 400));
  const similarity = expected?.similarity.toFixed(2);
  if (other !== undefined && other.similarity > (expected?.similarity ?? 0) + 0.1) {
    return `it shows the picture of ${other.atS.toFixed(2)} s (similarity ${other.similarity.toFixed(2)}, not ${similarity})`;
  }
  const colors = listFields(expected?.pixels ?? picture, look).map(
    (color, i) => `${color.join(",")}→${listFields(picture, look)[i]?.join(",")}`,
  );
  return `it looks different (similarity ${similarity}, colors ${colors.join(" ")})`;
}

/** Returns the frame that a player shows at a moment. The first one also shows before its time. */
function frameAt(frames: readonly Frame[], atS: number): Frame | undefined {
  return frames.findLast((frame) => frame.atS <= atS + 0.001) ?? frames[0];
}

/** Returns the frames that a player shows between two moments. */
function framesBetween(frames: readonly Frame[], fromS: number, toS: number): Frame[] {
  const first = frameAt(frames, fromS);
  return [
    ...(first === undefined ? [] : [first]),
    ...frames.filter(({ atS }) => atS > fromS && atS <= toS),
  ];
}

/** Returns at most this many items, spread evenly. */
function pick<T>(items: readonly T[], most: number): T[] {
  const step = Math.max(1, items.length / most);
  const count = Math.min(most, items.length);
  return Array.from({ length: count }, (_, i) => items[Math.floor(i * step)]).filter(
    (each) => each !== undefined,
  );
}

function isAlike(a: Pixels, b: Pixels | undefined, look: Look): boolean {
  if (b?.length !== a.length || compareLook(a, b, look) < look.minSimilarity) return false;
  const others = listFields(b, look);
  return listFields(a, look).every((color, i) =>
    color.every((value, k) => Math.abs(value - (others[i]?.[k] ?? 0)) <= look.maxColorDifference),
  );
}

const toGray = (pixels: Pixels): Float32Array =>
  Float32Array.from({ length: pixels.length / 3 }, (_, i) => {
    const [r = 0, g = 0, b = 0] = pixels.subarray(i * 3, i * 3 + 3);
    return 0.299 * r + 0.587 * g + 0.114 * b;
  });

/** Returns the structural similarity of two pictures (SSIM), or their correlation for HDR. */
function compareLook(a: Pixels, b: Pixels, { width, height, isHdr }: Look): number {
  if (a.length !== b.length) return 0;
  const [x, y] = [toGray(a), toGray(b)];
  if (isHdr) return correlate(x, y);
  const window = 8;
  let [sum, count] = [0, 0];
  for (let top = 0; top + window <= height; top += 4) {
    for (let left = 0; left + window <= width; left += 4) {
      let [sx, sy, sxx, syy, sxy] = [0, 0, 0, 0, 0];
      for (let row = top; row < top + window; row += 1) {
        for (let column = left; column < left + window; column += 1) {
          const [p = 0, q = 0] = [x[row * width + column], y[row * width + column]];
          sx += p;
          sy += q;
          sxx += p * p;
          syy += q * q;
          sxy += p * q;
        }
      }
      const n = window * window;
      const [mx, my] = [sx / n, sy / n];
      const [vx, vy, covariance] = [sxx / n - mx * mx, syy / n - my * my, sxy / n - mx * my];
      // The usual constants of SSIM for 8 bits. The second is larger, because codecs change flat areas.
      const [c1, c2] = [6.5, 234];
      sum +=
        ((2 * mx * my + c1) * (2 * covariance + c2)) / ((mx * mx + my * my + c1) * (vx + vy + c2));
      count += 1;
    }
  }
  return count === 0 ? 1 : sum / count;
}

function correlate(x: Float32Array, y: Float32Array): number {
  const n = x.length;
  let [sx, sy, sxx, syy, sxy] = [0, 0, 0, 0, 0];
  for (let i = 0; i < n; i += 1) {
    const [p = 0, q = 0] = [x[i], y[i]];
    sx += p;
    sy += q;
    sxx += p * p;
    syy += q * q;
    sxy += p * q;
  }
  const [vx, vy] = [sxx - (sx * sx) / n, syy - (sy * sy) / n];
  // Pictures of one color have no structure.
  return vx < n && vy < n ? 1 : (sxy - (sx * sy) / n) / Math.sqrt(Math.max(vx * vy, 1));
}

/** Returns the average colors of six fields: three columns and two rows. */
function listFields(pixels: Pixels, { width, height }: Size): number[][] {
  return [0, 1, 2, 3, 4, 5].map((field) => {
    const [x0, y0] = [((field % 3) + 0.5) / 3, field < 3 ? 0.22 : 0.78];
    const sums = [0, 0, 0];
    let count = 0;
    for (let y = Math.floor((y0 - 0.06) * height); y < (y0 + 0.06) * height; y += 1) {
      for (let x = Math.floor((x0 - 0.06) * width); x < (x0 + 0.06) * width; x += 1) {
        for (const k of [0, 1, 2])
          sums[k] = (sums[k] ?? 0) + (pixels[(y * width + x) * 3 + k] ?? 0);
        count += 1;
      }
    }
    return sums.map((sum) => Math.round(sum / Math.max(count, 1)));
  });
}

/** Checks that a preview shows a stretch of the source at its speed. */
function comparePreview(shown: Shown, served: Shown, look: Look): string[] {
  const moments = pick(served.frames, 8);
  const slack = 0.15;
  const isShownFrom = (startS: number): boolean =>
    moments.every(({ atS, pixels }) =>
      framesBetween(shown.frames, startS + atS - slack, startS + atS + slack).some((frame) =>
        isAlike(frame.pixels, pixels, look),
      ),
    );
  const starts = Array.from({ length: Math.ceil(shown.videoEndS * 10) }, (_, i) => i / 10);
  return starts.some(isShownFrom) ? [] : ["it shows no part of the source"];
}

async function compareStoryboard(made: ProcessRun, shown: Shown, look: Look): Promise<string[]> {
  const [vtt] = made.all("storyboard");
  if (vtt === undefined) return made.skipped.includes("storyboard") ? [] : ["it is missing"];
  const cues = [
    ...(await readFile(vtt.path, "utf8")).matchAll(
      /(\d+):(\d+):([\d.]+) --> (\d+):(\d+):([\d.]+)\n(\S+)#xywh=(\d+),(\d+),(\d+),(\d+)/g,
    ),
  ];
  const wrong: string[] = [];
  for (const [, h1, m1, s1, h2, m2, s2, name = "", x, y, w, h] of pick(cues, 12)) {
    const toS = (hours = "0", minutes = "0", seconds = "0") =>
      Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
    const [fromS, untilS] = [toS(h1, m1, s1), toS(h2, m2, s2)];
    const sheet = made.all("storyboard_sheet").find((file) => file.name === name);
    const { stdout } = await runTool(ffmpegPath, [
      ...["-nostdin", "-v", "fatal", "-i", `file:${sheet?.path}`, "-frames:v", "1", "-vf"],
      `crop=${w}:${h}:${x}:${y},scale=${look.width}:${look.height}:flags=area,format=rgb24`,
      ...["-f", "rawvideo", "pipe:1"],
    ]);
    const near = framesBetween(shown.frames, fromS - 0.3, untilS);
    if (!near.some(({ pixels }) => isAlike(pixels, stdout, look))) {
      wrong.push(`the tile of ${fromS} s shows something else`);
    }
  }
  return wrong;
}

/** Checks that a copy has no frames that only an edit list hides. */
async function findHiddenFrames(
  at: TestMedia,
  file: MediaFile,
  served: Shown,
  box: Size,
): Promise<string[]> {
  const all = await decode(at, file.path, {
    ...{ ...box, video: 0, audio: null, options: ["-ignore_editlist", "1"] },
  });
  const hidden = all.frames.length - served.frames.length;
  return hidden === 0 ? [] : [`${hidden} frames are in the file but not shown`];
}

// Comparing sound and captions

function compareSound(
  { sound: shown, isDamaged }: Shown,
  { sound: served }: Pick<Shown, "sound">,
): string[] {
  if (shown === null) return served === null ? [] : ["it has sound, but the source has none"];
  if (served === null) return ["it has no sound"];
  const length = Math.round(pieceS * soundRate);
  const lag = Math.round(maxLagS * soundRate);
  const loudest = (sound: Float32Array) =>
    sound.reduce((max, each) => Math.max(max, Math.abs(each)), 0);
  const [peak, servedPeak] = [loudest(shown), loudest(served)];
  // Nothing but noise.
  if (peak < 60) return [];
  const endS = Math.max(shown.length, served.length) / soundRate;
  const starts = Array.from({ length: Math.floor(endS / pieceS) }, (_, i) => i * length);
  const wrong: string[] = [];
  const picked = pick(starts, maxMoments);
  for (const from of picked) {
    const level = energy(shown, from, length) / peak;
    const servedLevel = energy(served, from, length) / servedPeak;
    const where = `at ${(from / soundRate).toFixed(2)} s`;
    if (level < 0.01) {
      // Sound at the edge of a piece may be displaced into it.
      if (energy(shown, from - lag, length + 2 * lag) / peak < 0.01 && servedLevel > 0.05) {
        wrong.push(`${where} it isn't silent`);
      }
      continue;
    }
    const { best, atLag } = findLag(shown, served, { from, length, lag });
    if (best < minCorrelation) {
      wrong.push(
        `${where} it sounds different (correlation ${best.toFixed(2)} at ${atLag} ms, level ${level.toFixed(2)} and ${servedLevel.toFixed(2)})`,
      );
    }
  }
  const allowed = isDamaged ? Math.ceil(picked.length / 2) : 0;
  return wrong.length <= allowed
    ? []
    : [`${wrong.length} of ${picked.length} pieces of sound differ: ${wrong[0]}`];
}

/** Returns the root mean square of a piece. */
function energy(sound: Float32Array, from: number, length: number): number {
  let sum = 0;
  for (let i = Math.max(0, from); i < from + length; i += 1) sum += (sound[i] ?? 0) ** 2;
  return Math.sqrt(sum / length);
}

function findLag(
  shown: Float32Array,
  served: Float32Array,
  { from, length, lag }: { from: number; length: number; lag: number },
): { best: number; atLag: number } {
  let [best, atLag] = [-1, 0];
  for (let shift = -lag; shift <= lag; shift += 1) {
    let [both, first, second] = [0, 0, 0];
    for (let i = from; i < from + length; i += 1) {
      const [x, y] = [shown[i] ?? 0, served[i + shift] ?? 0];
      both += x * y;
      first += x * x;
      second += y * y;
    }
    const value = both / Math.sqrt(Math.max(first * second, 1));
    if (value > best) [best, atLag] = [value, Math.round((shift * 1000) / soundRate)];
  }
  return { best, atLag };
}

/** Compares the times of captions with those that ffmpeg reads, of each track. */
async function compareCaptions(
  source: string,
  made: ProcessRun,
  endS: number,
  parts: readonly PlayedPart[] = [{ fromS: 0, lengthS: Infinity }],
): Promise<string[]> {
  const wrong: string[] = [];
  for (const track of made.texts.tracks) {
    const { stdout } = await runTool(ffmpegPath, [
      ...["-nostdin", "-v", "fatal", "-i", `file:${source}`, "-map", `0:${track.index}`],
      ...["-f", "srt", "pipe:1"],
    ]);
    const cues = Buffer.from(stdout)
      .toString()
      .matchAll(/^([\d:,]+) --> ([\d:,]+)/gm);
    const times = [...cues]
      .flatMap(([, from = "", until = ""]) => playCue(toMs(from), toMs(until), parts))
      .filter((startMs) => startMs < endS * 1000 - 1);
    const served = track.lines.map(({ startMs }) => startMs);
    // Drawings and doubled lines of ASS aren't captions.
    const mayLack = track.codec === "ass" || track.codec === "ssa";
    const missing = times.filter((time) => !served.some((each) => Math.abs(each - time) <= 60));
    const added = served.filter((time) => !times.some((each) => Math.abs(each - time) <= 60));
    if ((missing.length > 0 && !mayLack) || added.length > 0) {
      wrong.push(`lines start at ${served.join(", ")} ms instead of ${times.join(", ")} ms`);
    }
  }
  return wrong;
}

const toMs = (time: string): number => {
  const [hours = 0, minutes = 0, seconds = 0, ms = 0] = time.split(/[:,]/).map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + ms;
};

/** Returns when a cue starts in a video that plays these parts. */
function playCue(fromMs: number, untilMs: number, parts: readonly PlayedPart[]): number[] {
  let startMs = 0;
  const starts: number[] = [];
  for (const { fromS, lengthS } of parts) {
    const partMs = (fromS ?? Infinity) * 1000;
    if (fromMs < partMs + lengthS * 1000 && untilMs > partMs) {
      starts.push(startMs + Math.max(0, fromMs - partMs));
    }
    startMs += lengthS * 1000;
  }
  return starts;
}
