import { rename, rm } from "node:fs/promises";
import path from "node:path";
import { planDecoderThreads } from "../plan/encode-options.ts";
import { guardInput } from "../plan/input-guards.ts";
import { planPreview, previewArgs } from "../plan/preview.ts";
import { planLimits } from "../plan/process-limits.ts";
import {
  judgeSample,
  planStillSizes,
  stillArgs,
  stillPlaces,
  type StillSource,
} from "../plan/stills.ts";
import { inputOptions } from "../plan/video-filter.ts";
import { MediaProcessError } from "../run/media-process-error.ts";
import { describeFile, type MediaFile } from "./media-file.ts";
import type { Workpiece, Workshop } from "./work-directory.ts";

/** Where keyframes are rarer than this, a still inside the source costs too much decoding. */
const maxSeekGapS = 30;

export interface PicturesOutput {
  /** Poster, thumbnail, hover preview. */
  files: MediaFile[];
}

/** `playable` is a rendition with keyframes every 2 s, where there is one. */
export async function makePictures(
  workshop: Workshop,
  piece: Workpiece,
  playable: { path: string; width: number; height: number } | null,
): Promise<PicturesOutput> {
  const source: StillSource =
    piece.scan.maxKeyframeGapS > maxSeekGapS && playable !== null
      ? renditionSource(playable, piece)
      : {
          inputArgs: [
            ...planDecoderThreads(piece.facts.video, workshop.threads),
            ...inputOptions(piece.facts.video),
            ...guardInput(piece.facts.container, piece.sourcePath),
          ],
          video: piece.facts.video,
        };
  return {
    files: [
      ...(await makeStills(workshop, piece, source)),
      await makePreview(workshop, piece, source),
    ],
  };
}

async function makeStills(
  workshop: Workshop,
  piece: Workpiece,
  source: StillSource,
): Promise<MediaFile[]> {
  const isWebp = workshop.report.hasWebp;
  const sizes = planStillSizes(source.video);
  const posterName = "poster.jpg";
  const thumbnailName = isWebp ? "thumbnail.webp" : "thumbnail.jpg";
  const best = { spread: -1 };
  let failure: unknown = new Error("no still could be made");

  for (const [i, place] of stillPlaces.entries()) {
    const attempt = {
      posterPath: path.join(piece.workDir, `still-${i}.jpg`),
      thumbnailPath: path.join(piece.workDir, `still-${i}.${isWebp ? "webp" : "thumb.jpg"}`),
      isWebp,
    };
    try {
      const result = await workshop.tools.ffmpeg({
        name: "still",
        args: stillArgs(source, place * piece.facts.video.endS, sizes, attempt, workshop.report),
        cwd: workshop.emptyDir,
        limits: planLimits(piece.facts, {
          decodedS: 30,
          encodedRungs: 0,
          threads: workshop.threads,
        }),
        signal: piece.signal,
        wantsStdout: true,
      });
      // Past the last frame there is nothing, and no error either.
      if (result.stdout.length === 0) continue;
      const judged = judgeSample(result.stdout);
      if (judged.spread > best.spread) {
        best.spread = judged.spread;
        await rename(attempt.posterPath, path.join(piece.workDir, posterName));
        await rename(attempt.thumbnailPath, path.join(piece.workDir, thumbnailName));
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
    await describeFile("poster", posterName, path.join(piece.workDir, posterName), sizes.poster),
    await describeFile(
      "thumbnail",
      thumbnailName,
      path.join(piece.workDir, thumbnailName),
      sizes.thumbnail,
    ),
  ];
}

async function makePreview(
  workshop: Workshop,
  piece: Workpiece,
  source: StillSource,
): Promise<MediaFile> {
  const plan = planPreview(source, piece.facts.video.endS);
  const target = path.join(piece.workDir, "preview.mp4");
  await workshop.tools.ffmpeg({
    name: "preview",
    args: previewArgs(source, plan, target, workshop.report),
    cwd: workshop.emptyDir,
    limits: planLimits(piece.facts, {
      decodedS: 40,
      encodedRungs: 1,
      threads: workshop.threads,
    }),
    signal: piece.signal,
  });
  return describeFile("preview", "preview.mp4", target, {
    width: plan.width,
    height: plan.height,
    durationS: plan.durationS,
  });
}

/** One of our own renditions as a source: upright, square, plain. */
function renditionSource(
  rendition: { path: string; width: number; height: number },
  piece: Workpiece,
): StillSource {
  return {
    inputArgs: guardInput("mov", rendition.path),
    video: {
      ...piece.facts.video,
      index: 0,
      codec: "h264",
      codedWidth: rendition.width,
      codedHeight: rendition.height,
      width: rendition.width,
      height: rendition.height,
      sar: { num: 1, den: 1 },
      rotationDeg: 0,
      hasOddMatrix: false,
      fps: piece.fps,
      pixelFormat: "yuv420p",
      bitDepth: 8,
      isFullRange: false,
      isHdr: false,
      isInterlaced: false,
    },
  };
}
