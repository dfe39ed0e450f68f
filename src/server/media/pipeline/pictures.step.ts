import { rename, rm } from "node:fs/promises";
import path from "node:path";
import { planDecoderThreads } from "../plan/encode-options.ts";
import { guardInput } from "../plan/input-guards.ts";
import { planPreview, previewArgs } from "../plan/preview.ts";
import { planLimits } from "../plan/process-limits.ts";
import {
  judgeSample,
  planPictureSizes,
  posterArgs,
  framePositions,
  type FrameSource,
} from "../plan/pictures.ts";
import { inputOptions } from "../plan/video-filter.ts";
import { MediaProcessError } from "../run/media-process-error.ts";
import { describeFile, type MediaFile } from "./media-file.ts";
import type { SourceVideo, PipelineContext } from "./pipeline-context.ts";

/** Where keyframes are rarer, a frame from the middle of the source takes too much decoding. */
const maxSeekGapS = 30;

export interface PicturesOutput {
  /** Poster, thumbnail, hover preview. */
  files: MediaFile[];
}

/** Poster, thumbnail and preview. `playable` is a rendition with keyframes every 2 s, or null. */
export async function makePictures(
  pipeline: PipelineContext,
  source: SourceVideo,
  playable: { path: string; width: number; height: number } | null,
): Promise<PicturesOutput> {
  const frames: FrameSource =
    source.scan.maxKeyframeGapS > maxSeekGapS && playable !== null
      ? renditionSource(playable, source)
      : {
          path: source.sourcePath,
          inputArgs: [
            ...planDecoderThreads(source.facts.video, pipeline.threads),
            ...inputOptions(source.facts.video),
            ...guardInput(source.facts.container, source.sourcePath),
          ],
          video: source.facts.video,
        };
  return {
    files: [
      ...(await makePosterAndThumbnail(pipeline, source, frames)),
      await makePreview(pipeline, source, frames),
    ],
  };
}

async function makePosterAndThumbnail(
  pipeline: PipelineContext,
  source: SourceVideo,
  frames: FrameSource,
): Promise<MediaFile[]> {
  const isWebp = pipeline.report.hasWebp;
  const sizes = planPictureSizes(frames.video);
  const posterName = "poster.jpg";
  const thumbnailName = isWebp ? "thumbnail.webp" : "thumbnail.jpg";
  const best = { spread: -1 };
  let failure: unknown = new Error("no frame could be decoded");

  for (const [i, place] of framePositions.entries()) {
    const attempt = {
      posterPath: path.join(source.workDir, `candidate-${i}.jpg`),
      thumbnailPath: path.join(source.workDir, `candidate-${i}.${isWebp ? "webp" : "thumb.jpg"}`),
      isWebp,
    };
    try {
      const result = await pipeline.tools.ffmpeg({
        name: "poster",
        args: posterArgs(frames, place * source.facts.video.endS, sizes, attempt, pipeline.report),
        cwd: pipeline.emptyDir,
        inputs: [frames.path],
        outputDir: source.workDir,
        limits: planLimits(source.facts, {
          decodedS: 30,
          encodedRungs: 0,
          threads: pipeline.threads,
        }),
        signal: source.signal,
        wantsStdout: true,
      });
      // After the last frame ffmpeg writes nothing and reports no error.
      if (result.stdout.length === 0) continue;
      const judged = judgeSample(result.stdout);
      if (judged.spread > best.spread) {
        best.spread = judged.spread;
        await rename(attempt.posterPath, path.join(source.workDir, posterName));
        await rename(attempt.thumbnailPath, path.join(source.workDir, thumbnailName));
      }
      if (!judged.isDull) break;
    } catch (error) {
      if (!(error instanceof MediaProcessError)) throw error;
      failure = error;
    } finally {
      await rm(attempt.posterPath, { force: true });
      await rm(attempt.thumbnailPath, { force: true });
    }
  }
  if (best.spread < 0) throw failure;
  return [
    await describeFile("poster", posterName, path.join(source.workDir, posterName), sizes.poster),
    await describeFile(
      "thumbnail",
      thumbnailName,
      path.join(source.workDir, thumbnailName),
      sizes.thumbnail,
    ),
  ];
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

/** A rendition of the video instead of its source. */
function renditionSource(
  rendition: { path: string; width: number; height: number },
  source: SourceVideo,
): FrameSource {
  return {
    path: rendition.path,
    inputArgs: guardInput("mov", rendition.path),
    video: {
      ...source.facts.video,
      index: 0,
      codec: "h264",
      codedWidth: rendition.width,
      codedHeight: rendition.height,
      width: rendition.width,
      height: rendition.height,
      sar: { num: 1, den: 1 },
      rotationDeg: 0,
      hasOddMatrix: false,
      fps: source.fps,
      pixelFormat: "yuv420p",
      bitDepth: 8,
      isFullRange: false,
      isHdr: false,
      isInterlaced: false,
    },
  };
}
