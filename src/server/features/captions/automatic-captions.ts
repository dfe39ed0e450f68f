import { mkdir } from "node:fs/promises";
import { z } from "zod";
import type { AdminCaptions } from "#contract/videos/captions.ts";
import type { Config } from "#server/config.ts";
import { isDatabaseUnreachable, type Db } from "#server/db/connection.ts";
import { backOffS, queueAgain, defineJob, type JobQueue } from "#server/jobs/queue.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { Media } from "#server/media/media.ts";
import { findOutsideCause } from "#server/media/run/failure-causes.ts";
import { InterruptedError } from "#server/media/run/media-process-error.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { ProcessingStateService } from "#server/features/videos/processing-state/processing-state.service.ts";
import type { CaptionsService } from "./captions.service.ts";

const name = "video.captions";

/** Generates captions from the audio with the operator's command. */
export function createAutomaticCaptions(deps: {
  config: Config;
  db: Db;
  queue: JobQueue;
  storage: Storage;
  media: Media;
  state: ProcessingStateService;
  captions: CaptionsService;
  logger: Logger;
}) {
  const { config, db, queue, storage, media, state, captions, logger } = deps;
  const { captionCommand: command, captionLanguage: language } = config;
  const isBusy = (videoId: string) => queue.hasUnfinished([name], { videoId });

  async function enqueue(videoId: string): Promise<void> {
    // A waiting attempt has another key.
    if (!(await isBusy(videoId))) await queue.enqueue(db, name, { videoId }, { key: videoId });
  }

  /** Returns false if the video got another file or cut meanwhile, so that the captions don't fit. */
  async function make(videoId: string, signal: AbortSignal): Promise<boolean> {
    const video = await state.find(videoId);
    if (command === null || video === null) return true;
    const { sourceKey, files } = video;
    const hasOriginal = files.progressive === null || (await storage.findStat(sourceKey)) !== null;
    await using scratch = await storage.createScratch();
    const workDir = `${scratch.path}/work`;
    await mkdir(workDir);
    const lines = await storage.withLocalFile(
      hasOriginal ? sourceKey : (files.progressive ?? sourceKey),
      async (sourcePath) => {
        const facts = await media.probe(sourcePath, signal);
        if (facts.audio === null) return [];
        // Renditions are cut already.
        const keptParts = hasOriginal ? video.keptParts : null;
        return media.transcribe({
          ...{ sourcePath, facts, keptParts, workDir, command, language, signal },
        });
      },
      signal,
    );
    if ((await state.find(videoId)) === null) return true;
    const own = language === "auto" ? null : language;
    const track = { track: null, language: own, name: null, isDefault: false, isForced: false };
    const tracks = lines.length === 0 ? [] : [{ ...track, lines }];
    return captions.saveFound(videoId, "automatic", tracks, video);
  }

  return {
    async stateOf(videoId: string): Promise<AdminCaptions["automatic"]> {
      if (command === null) return "off";
      return (await isBusy(videoId)) ? "busy" : "idle";
    },

    /** @throws AppError conflict if no command is configured or such captions exist. */
    async request(videoId: string): Promise<void> {
      if (command === null) {
        throw new AppError(
          "conflict",
          "Automatic captions are off because CAPTION_COMMAND isn't set.",
        );
      }
      const { captions: existing } = await captions.list(videoId);
      if (existing.some(({ origin }) => origin === "automatic")) {
        throw new AppError(
          "conflict",
          "This video already has automatic captions. Delete them first.",
        );
      }
      await enqueue(videoId);
    },

    /** Like `request`, but for a new video, which may already have captions. */
    async requestForNew(videoId: string): Promise<void> {
      if (command === null) return;
      const { captions: existing } = await captions.list(videoId);
      if (existing.length === 0) await enqueue(videoId);
    },

    job: defineJob({
      name,
      payload: z.object({ videoId: z.uuid(), waits: z.int().min(0).default(0) }),
      concurrency: 1,
      async run({ videoId, waits }, { signal }) {
        try {
          if (await make(videoId, signal)) return;
          await queueAgain(deps, name, { videoId, waits }, 0);
        } catch (error) {
          // It isn't the video's fault, so the job tries again later.
          const cause = findOutsideCause(error);
          const passes =
            error instanceof InterruptedError || (cause !== null && cause.canComeFromFile !== true);
          if (signal.aborted || isDatabaseUnreachable(error)) throw error;
          if (passes) {
            const startAfterS = backOffS(waits);
            logger.warn({ err: error, videoId, startAfterS }, "automatic captions are waiting");
            return queueAgain(deps, name, { videoId, waits }, startAfterS);
          }
          logger.warn({ err: error, videoId }, "automatic captions failed");
          const addedNotices = ["Couldn't make automatic captions. See the log for the reason."];
          await state.saveFiles(videoId, [], { addedNotices });
        }
      },
    }),
  };
}

export type AutomaticCaptions = ReturnType<typeof createAutomaticCaptions>;
