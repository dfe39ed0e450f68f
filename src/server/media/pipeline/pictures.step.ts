import path from "node:path";
import { posterName } from "#contract/videos/picture-sizes.ts";
import { hasCode } from "#server/lib/app-error.ts";
import { planDecoderThreads } from "../plan/encode-options.ts";
import { hashFrame, listFingerprintPositions } from "../plan/fingerprint.ts";
import { scoreFrame } from "../plan/frame-score.ts";
import { nameRenditionColors } from "../plan/colors.ts";
import { planPreview, previewArgs } from "../plan/preview.ts";
import { planLimits } from "../facts/process-limits.ts";
import {
  listCandidates,
  planLeadS,
  planPictureSizes,
  planThumbnailFiles,
  posterArgs,
  sampleArgs,
  type FrameSource,
  type ThumbnailFile,
} from "../plan/pictures.ts";
import { inputOptions } from "../plan/video-filter.ts";
import { isFileFailure } from "../run/media-process-error.ts";
import type { RunResult } from "../run/run-process.ts";
import { joinOutputs, makeOptional, type OptionalOutput } from "./optional-output.ts";
import {
  describeFile,
  type SourceVideo,
  type PipelineContext,
  type MediaFile,
} from "./pipeline-context.ts";

/**
 * Maximum keyframe distance. Beyond it, getting a frame from the middle of the source takes too
 * much decoding.
 */
const maxSeekGapS = 30;

/** Maximum number of frames to decode before a position: a fast video may pause once for long. */
const maxLeadFrames = 300;

/** Poster, thumbnail files and hover preview. */
export interface PicturesOutput extends OptionalOutput {
  /** Hashes of ten frames, see `isSamePicture`. */
  fingerprint: Buffer;
}

/**
 * Makes and verifies poster, thumbnail and preview. `playable` is a rendition with keyframes every 2 s, or null.
 */
export async function makePictures(
  pipeline: PipelineContext,
  source: SourceVideo,
  playable: { path: string; width: number; height: number } | null,
): Promise<PicturesOutput> {
  const frames =
    source.scan.maxKeyframeGapS > maxSeekGapS && playable !== null
      ? renditionSource(playable, source)
      : plainSource(pipeline, source);
  const poster = await makeOptional(pipeline, source, "poster", () =>
    makePosterAndThumbnail(pipeline, source, frames),
  );
  const preview = await makeOptional(pipeline, source, "preview", async () => [
    await makePreview(pipeline, source, frames),
  ]);
  return {
    ...joinOutputs(poster, preview),
    fingerprint: await makeFingerprint(pipeline, source, frames),
  };
}

/** Returns the hashes of ten frames, see `isSamePicture`. */
export const fingerprintVideo = (pipeline: PipelineContext, source: SourceVideo): Promise<Buffer> =>
  makeFingerprint(pipeline, source, plainSource(pipeline, source));

const plainSource = (pipeline: PipelineContext, source: SourceVideo): FrameSource => ({
  ...source.facts,
  path: source.sourcePath,
  options: [
    ...planDecoderThreads(source.facts.video, pipeline.threads),
    ...inputOptions(source.facts.video, pipeline.report),
  ],
  fps: source.fps,
  leadS: planLeadS(source.scan, maxLeadFrames),
});

async function makePosterAndThumbnail(
  pipeline: PipelineContext,
  source: SourceVideo,
  frames: FrameSource,
): Promise<MediaFile[]> {
  const { workDir } = source;
  const sizes = planPictureSizes(frames.video);
  const posterPath = path.join(workDir, posterName);
  const files = planThumbnailFiles(sizes.thumbnail, pipeline.report);
  let failure: unknown = new Error("no frame could be decoded");
  for (const atS of await rankCandidates(pipeline, source, frames)) {
    try {
      const outputs = { posterPath, folder: workDir, files };
      await runOnFrames(pipeline, source, frames, {
        name: "poster",
        args: posterArgs(frames, atS, sizes.poster, outputs, pipeline.report),
      });
      return [
        await describeFile("poster", posterName, posterPath, sizes.poster),
        ...(await describeThumbnail(workDir, files)),
      ];
    } catch (error) {
      // After the last frame, ffmpeg writes no file and reports no error.
      if (!isFileFailure(error) && !hasCode(error, "ENOENT")) throw error;
      failure = error;
    }
  }
  throw failure;
}

/** Describes the existing files of a thumbnail, main one first. */
export async function describeThumbnail(
  folder: string,
  [main, ...others]: readonly [ThumbnailFile, ...ThumbnailFile[]],
): Promise<[MediaFile, ...MediaFile[]]> {
  const describe = (role: MediaFile["role"], file: ThumbnailFile) =>
    describeFile(role, file.name, path.join(folder, file.name), file);
  const described: [MediaFile, ...MediaFile[]] = [await describe("thumbnail", main)];
  for (const file of others) described.push(await describe("thumbnail_variant", file));
  return described;
}

/** Returns positions for a poster in seconds, best first. Positions without a frame come last. */
async function rankCandidates(
  pipeline: PipelineContext,
  source: SourceVideo,
  frames: FrameSource,
): Promise<number[]> {
  const candidates: { atS: number; score: number }[] = [];
  for (const atS of listCandidates(source.facts.video.endS)) {
    const sample = await readSample(pipeline, source, frames, {
      name: "candidate",
      args: sampleArgs(frames, atS, pipeline.report),
    });
    candidates.push({ atS, score: scoreFrame(sample) ?? -1 });
  }
  return candidates.toSorted((a, b) => b.score - a.score).map(({ atS }) => atS);
}

async function makeFingerprint(
  pipeline: PipelineContext,
  source: SourceVideo,
  frames: FrameSource,
): Promise<Buffer> {
  const hashes: Buffer[] = [];
  for (const atS of listFingerprintPositions(source.facts.video.endS)) {
    const args = sampleArgs(frames, atS, pipeline.report, 1);
    hashes.push(hashFrame(await readSample(pipeline, source, frames, { name: "compare", args })));
  }
  return Buffer.concat(hashes);
}

/** Returns frames in RGB. Returns nothing if no frame can be decoded. */
async function readSample(
  pipeline: PipelineContext,
  source: SourceVideo,
  frames: FrameSource,
  job: { name: string; args: string[] },
): Promise<Uint8Array> {
  try {
    const run = { ...job, wantsStdout: true };
    return (await runOnFrames(pipeline, source, frames, run)).stdout;
  } catch (error) {
    if (!isFileFailure(error)) throw error;
    return new Uint8Array();
  }
}

function runOnFrames(
  pipeline: PipelineContext,
  source: SourceVideo,
  frames: FrameSource,
  job: { name: string; args: string[]; wantsStdout?: boolean },
): Promise<RunResult> {
  return pipeline.tools.ffmpeg({
    ...job,
    cwd: pipeline.emptyDir,
    inputs: [frames.path],
    outputDir: source.workDir,
    limits: planLimits(source.facts, {
      decodedS: 30,
      encodedRungs: 0,
      threads: pipeline.threads,
    }),
    signal: source.signal,
  });
}

async function makePreview(
  pipeline: PipelineContext,
  source: SourceVideo,
  frames: FrameSource,
): Promise<MediaFile> {
  const plan = planPreview(frames, source.facts.video.endS);
  const target = path.join(source.workDir, "preview.mp4");
  await pipeline.tools.ffmpeg({
    name: "preview",
    args: previewArgs(frames, plan, target, pipeline.report),
    cwd: pipeline.emptyDir,
    inputs: [frames.path],
    outputDir: source.workDir,
    limits: planLimits(source.facts, {
      decodedS: 40,
      encodedRungs: 1,
      threads: pipeline.threads,
    }),
    signal: source.signal,
  });
  return describeFile("preview", "preview.mp4", target, {
    width: plan.width,
    height: plan.height,
    durationS: plan.durationS,
  });
}

/** Uses a rendition of the video instead of its source. */
function renditionSource(
  rendition: { path: string; width: number; height: number },
  source: SourceVideo,
): FrameSource {
  const { matrix, primaries, transfer } = nameRenditionColors(source.facts.video);
  return {
    path: rendition.path,
    container: "mov",
    jumps: [],
    options: [],
    fps: source.fps,
    leadS: 0,
    video: {
      ...source.facts.video,
      index: 0,
      timeline: null,
      codec: "h264",
      codedWidth: rendition.width,
      codedHeight: rendition.height,
      width: rendition.width,
      height: rendition.height,
      sar: { num: 1, den: 1 },
      isMirrored: false,
      rotationDeg: 0,
      displayMatrix: "plain",
      fps: source.fps,
      pixelFormat: "yuv420p",
      bitDepth: 8,
      isFullRange: false,
      colorMatrix: matrix,
      colorPrimaries: primaries,
      colorTransfer: transfer,
      isHdr: false,
      isInterlaced: false,
    },
  };
}
