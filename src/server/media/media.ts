import { mkdirSync } from "node:fs";
import { stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import path from "node:path";
import type { CaptionLine } from "#contract/videos/captions.ts";
import type { Logger } from "#server/lib/logger.ts";
import { createSemaphore } from "#server/lib/semaphore.ts";
import { OperatorError } from "#server/lib/app-error.ts";
import type { Tracing } from "#server/lib/tracing/tracing.ts";
import { ensurePrivateFolder } from "#server/storage/private-folder.ts";
import { checkTools, findTools, type ToolReport } from "./find-tools.ts";
import {
  cleanPicture,
  makeArtworkFromPicture,
  makeIconFromPicture,
  makePosterFromPicture,
  makeThumbnailFromPicture,
} from "./picture.ts";
import { fingerprintVideo } from "./pipeline/pictures.step.ts";
import {
  findCaptionsObstacle,
  makeClip,
  type ClipJob,
  type MadeClip,
} from "./pipeline/make-clip.ts";
import { cutAudio } from "./pipeline/cut-audio.ts";
import { steadySound } from "./pipeline/steady-sound.ts";
import { transcribe } from "./pipeline/transcribe.ts";
import {
  processVideo,
  scanSource,
  type ProcessJob,
  type ProcessResult,
  encodeRendition,
  type RenditionJob,
} from "./pipeline/process-video.ts";
import type { PipelineContext, MediaFile, SourceJob } from "./pipeline/pipeline-context.ts";
import type { RenditionOutput } from "./pipeline/ladder.step.ts";
import type { MediaFacts } from "./facts/media-facts.ts";
import { smallJobLimits } from "./facts/process-limits.ts";
import { remuxArgs } from "./plan/playable.ts";
import { createKnownFiles } from "./probe/known-files.ts";
import { probeFile } from "./probe/probe.ts";
import { InterruptedError } from "./run/media-process-error.ts";
import { createColorTables } from "./run/color-tables.ts";
import { createMediaTools } from "./run/media-tools.ts";
import { createProcessRunner, traceRuns } from "./run/run-process.ts";
import { createSandbox } from "./run/sandbox/sandbox.ts";

export interface MediaOptions {
  logger: Logger;
  env: { FFMPEG_PATH?: string; FFPROBE_PATH?: string; PATH?: string };
  /** Folder that exists as long as the process runs. An empty folder is created in it. */
  workRoot: string;
  /** Folder of the jobs' files, which may be on another disk. It is created if necessary. */
  scratchRoot?: string;
  /** Maximum duration of an accepted video. */
  maxDurationS?: number;
  /** Number of encoder threads; by default the number of CPUs, 2 to 8. */
  threads?: number;
  tracing?: Tracing | null;
  /** Result of an earlier search for the tools. By default they are searched for and checked. */
  report?: ToolReport;
  /** False for tests, whose encodes would get no processor time beside other tests. */
  lowersPriority?: boolean;
}

/**
 * Maximum number of attempts. A probe takes a fraction of a second, and if it fails, the user has
 * to send the file again.
 */
const maxProbes = 3;
/**
 * Number of concurrent probes, which run in order of arrival. Without a limit, they would all end
 * late.
 */
const probesAtOnce = Math.max(2, availableParallelism());
const defaultMaxDurationS = 12 * 3600;

/** Finds and checks the tools. @throws if none are found, with installation instructions. */
export async function createMedia(options: MediaOptions) {
  const emptyDir = path.join(options.workRoot, "empty");
  ensurePrivateFolder(options.workRoot);
  mkdirSync(emptyDir, { recursive: true, mode: 0o500 });
  const { scratchRoot: fileRoot } = options;
  if (fileRoot !== undefined) mkdirSync(fileRoot, { recursive: true, mode: 0o700 });
  const sandbox = await createSandbox(options.workRoot, undefined, {
    lowersPriority: options.lowersPriority,
    fileRoot,
  });
  const plainRunner = createProcessRunner(sandbox);
  const { tracing = null } = options;
  const runner = tracing === null ? plainRunner : traceRuns(tracing, plainRunner);
  const report =
    options.report ??
    (await checkTools(runner, await findTools(runner, options.env, emptyDir), emptyDir));
  if (report.missing.length > 0) throw new OperatorError(report.line ?? "ffmpeg can't be used");
  const { logger } = options;
  const colorTables = createColorTables(path.join(options.workRoot, "color-tables"));
  /** Context for benchmarks and for tests of single steps. */
  const pipeline: PipelineContext = {
    tools: createMediaTools({ paths: report.paths, runner, logger, colorTables }),
    report: { ...report, tablesFolder: colorTables.folder },
    threads: options.threads ?? Math.min(8, Math.max(2, availableParallelism())),
    emptyDir,
    logger,
  };
  const maxDurationS = options.maxDurationS ?? defaultMaxDurationS;
  // The job that publishes an upload starts in this process shortly after the probe.
  const known = createKnownFiles<MediaFacts>();
  const turns = createSemaphore({
    maxRunning: probesAtOnce,
    // A received file is never refused.
    maxWaitingPerKey: Infinity,
    maxWaiting: Infinity,
    message: "Too many uploads at once.",
    retryAfterS: 1,
  });
  let captionsObstacle: Promise<string | null> | null = null;
  return {
    pipeline,
    report: {
      ...report,
      sandbox: {
        level: sandbox.level,
        description: sandbox.description,
        weakness: sandbox.weakness,
      },
    },
    async probe(localPath: string, signal?: AbortSignal): Promise<MediaFacts> {
      signal?.throwIfAborted();
      const deps = { tools: pipeline.tools, cwd: emptyDir, maxDurationS };
      const read = async () => {
        for (let attempt = 1; ; attempt += 1) {
          try {
            return await probeFile(deps, localPath, signal);
          } catch (error) {
            const shouldRepeat = error instanceof InterruptedError && attempt < maxProbes;
            if (!shouldRepeat || signal?.aborted === true) throw error;
          }
        }
      };
      return known.find(localPath, () => turns.run({ key: "probe", isFirst: false }, read));
    },
    process: (job: ProcessJob): Promise<ProcessResult> => processVideo(pipeline, job),
    fingerprint: async (job: SourceJob): Promise<Buffer> =>
      fingerprintVideo(pipeline, await scanSource(pipeline, job)),
    encodeRendition: (job: RenditionJob): Promise<RenditionOutput> =>
      encodeRendition(pipeline, job),
    transcribe: async ({
      command,
      language,
      ...job
    }: SourceJob & {
      command: string;
      language: string;
    }): Promise<CaptionLine[]> => {
      const source = await scanSource(pipeline, await steadySound(pipeline, job));
      return transcribe(pipeline, runner, source, { command, language });
    },
    /** Joins a rendition and its sound without encoding. */
    async joinTracks({
      videoPath,
      audioPath,
      target,
      signal,
    }: {
      videoPath: string;
      audioPath: string | null;
      target: string;
      signal?: AbortSignal | undefined;
    }): Promise<void> {
      const inputs = [videoPath, ...(audioPath === null ? [] : [audioPath])];
      const sizes = await Promise.all(inputs.map(async (file) => (await stat(file)).size));
      await pipeline.tools.ffmpeg({
        name: "join",
        args: remuxArgs(videoPath, audioPath, target),
        cwd: emptyDir,
        inputs,
        outputDir: path.dirname(target),
        limits: {
          ...smallJobLimits,
          outputBytes: smallJobLimits.outputBytes + 2 * sizes.reduce((a, b) => a + b, 0),
        },
        signal,
      });
    },
    makeClip: (job: ClipJob): Promise<MadeClip> => makeClip(pipeline, job),
    /** Returns why captions can't become part of pictures, or null. Tries it once. */
    findCaptionsObstacle(): Promise<string | null> {
      captionsObstacle ??= findCaptionsObstacle(pipeline, options.workRoot).catch(
        (error: unknown) => {
          captionsObstacle = null;
          throw error;
        },
      );
      return captionsObstacle;
    },
    /** Cuts the sound out of a progressive file. @returns null if it has none. */
    cutAudio: (job: SourceJob): Promise<MediaFile | null> => cutAudio(pipeline, job),
    /** @returns the path of a square JPEG. */
    makeArtwork: (picturePath: string, workDir: string, signal: AbortSignal): Promise<string> =>
      makeArtworkFromPicture(pipeline, picturePath, workDir, signal),
    makeThumbnail: (picturePath: string, workDir: string): Promise<[MediaFile, ...MediaFile[]]> =>
      makeThumbnailFromPicture(pipeline, picturePath, workDir),
    makePoster: (picturePath: string, workDir: string): Promise<MediaFile> =>
      makePosterFromPicture(pipeline, picturePath, workDir),
    makeIcon: (picturePath: string, workDir: string): Promise<{ name: string; path: string }> =>
      makeIconFromPicture(pipeline, picturePath, workDir),
    cleanPicture: (
      picturePath: string,
      workDir: string,
    ): Promise<{ path: string; extension: string }> => cleanPicture(pipeline, picturePath, workDir),
  };
}

export type Media = Awaited<ReturnType<typeof createMedia>>;
