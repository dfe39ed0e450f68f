import type { Db } from "#server/db/connection.ts";
import type { JobName } from "#server/jobs/job-definition.ts";
import { findWorkers } from "#server/jobs/workers.repository.ts";
import { planParts } from "#server/media/plan/ladder-parts.ts";
import { joinRenditions, type Renditions } from "#server/media/plan/renditions.ts";
import type { Rung } from "#server/media/plan/rungs.ts";
import { createStepFolder } from "#server/storage/media-keys.ts";
import type { Storage } from "#server/storage/storage.ts";
import {
  isNewFile,
  type ProcessedVideo,
} from "#server/features/videos/processing-state/processed-video.ts";
import type { ProcessingStateService } from "#server/features/videos/processing-state/processing-state.service.ts";
import { deleteParts, insertParts, listParts } from "./ladder-parts.repository.ts";

/** Each part fetches and decodes the source again: less processor time is not worth that. */
const worthSplittingS = 60;
/** A worker that has one of these to do is not idle. */
const encodes: readonly JobName[] = ["video.encode", "video.encode-long", "video.finish"];

/** The ladder of a video whose parts are all stored. */
export interface StoredLadder {
  /** Where its HLS files are. */
  folder: string;
  renditions: Renditions;
  /** The key of a rendition's file, by the name that it has in a ladder of one pass. */
  keyOf(name: string): string;
}

/** Ladders that several workers make, each some of the renditions. */
export interface SplitLadders {
  /**
   * Divides a ladder among the workers that are idle now, and queues its parts.
   * @returns false where one pass of one worker is as good.
   */
  begin(video: ProcessedVideo, ladder: { rungs: Rung[]; estimateS: number }): Promise<boolean>;
  /** `none` where the ladder is not divided, `waiting` while parts are missing. Those are queued. */
  find(video: ProcessedVideo): Promise<StoredLadder | "none" | "waiting">;
  /** Forgets the division, and deletes what lost workers have left in its folder. */
  end(video: ProcessedVideo): Promise<void>;
}

interface Deps {
  db: Db;
  storage: Storage;
  state: Pick<ProcessingStateService, "queuePart">;
}

export function createSplitLadders({ db, storage, state }: Deps): SplitLadders {
  async function queueMissing(videoId: string): Promise<void> {
    for (const { number, result } of await listParts(db, videoId)) {
      // What was begun goes before other ladders.
      if (result === null) await state.queuePart(videoId, { number, estimateS: 0 });
    }
  }

  return {
    async begin(video, { rungs, estimateS }) {
      const { id, mediaToken } = video;
      // The old file plays meanwhile, so a new one has time.
      if (estimateS < worthSplittingS || isNewFile(video)) return false;
      const workers = await findWorkers(db, "video.finish", encodes);
      // The job that asks makes its worker busy, and gives way to a part.
      const parts = planParts(rungs, Math.min(workers.count, workers.idleLanes + 1));
      if (parts.length < 2) return false;
      await insertParts(db, id, createStepFolder(mediaToken), parts);
      await queueMissing(id);
      return true;
    },

    async find({ id }) {
      const parts = await listParts(db, id);
      const [first] = parts;
      if (first === undefined) return "none";
      const results = parts.flatMap(({ result }) => (result === null ? [] : [result]));
      if (results.length < parts.length) {
        await queueMissing(id);
        return "waiting";
      }
      const { folder } = first;
      const renditions = joinRenditions(results);
      const uris = [...renditions.variants, ...renditions.sounds].map(({ uri }) => uri);
      return {
        folder,
        renditions,
        keyOf(name) {
          const [parent = "", file = ""] = name.split("/");
          const uri = uris.find((each) => each.endsWith(`/${file.replace(/\.mp4$/, ".m3u8")}`));
          return `${folder}${parent}/${(uri ?? name).replace(/\.m3u8$/, ".mp4")}`;
        },
      };
    },

    async end({ id }) {
      const parts = await listParts(db, id);
      const [first] = parts;
      if (first === undefined) return;
      const made = parts.flatMap(({ result }) => [
        ...(result?.variants ?? []),
        ...(result?.sounds ?? []),
      ]);
      const attempts = new Set(made.map(({ uri }) => uri.split("/")[0] ?? ""));
      await deleteParts(db, id);
      const folder = `${first.folder}hls/`;
      for await (const { key } of storage.list(folder)) {
        const [attempt = "", ...rest] = key.slice(folder.length).split("/");
        if (rest.length > 0 && !attempts.has(attempt)) await storage.delete(key);
      }
    },
  };
}
