import { mkdir } from "node:fs/promises";
import type { Db } from "#server/db/connection.ts";
import { newToken } from "#server/lib/ids.ts";
import type { Media } from "#server/media/media.ts";
import type { PartOutput } from "#server/media/pipeline/process-part.ts";
import { progressOf } from "#server/media/pipeline/process-video.ts";
import { planGainDb } from "#server/media/plan/loudness.ts";
import { usualCrf } from "#server/media/plan/quality.ts";
import type { Renditions } from "#server/media/plan/renditions.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { ProcessedVideo } from "#server/features/videos/processing-state/processed-video.ts";
import type { ProcessingStateService } from "#server/features/videos/processing-state/processing-state.service.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import type { RunningJobs } from "../running-jobs.ts";
import { listParts, savePart, savePartProgress, type PartRow } from "./ladder-parts.repository.ts";

/** How often a worker that makes one part leaves the next to others. */
const maxYields = 3;
const progressEveryMs = 1000;

interface Deps {
  db: Db;
  storage: Storage;
  media: Media;
  state: ProcessingStateService;
  settings: Pick<SettingsService, "isLoudnessEven">;
  running: Pick<RunningJobs, "count">;
}

/** Makes one part of a ladder. The worker that makes the last one queues the rest of the work. */
export async function makePart(
  deps: Deps,
  video: ProcessedVideo,
  job: { number: number; yields: number },
  signal: AbortSignal,
): Promise<void> {
  const { db, state, running } = deps;
  const part = (await listParts(db, video.id)).find(({ number }) => number === job.number);
  if (part === undefined) {
    // A crash of the database forgets divisions.
    if (video.progress !== null && video.progress < 1) await state.queueFinish(video.id, 0);
    return;
  }
  if (part.result === null) {
    if (job.yields < maxYields && running.count(video.id) > 1) {
      const { number, yields } = job;
      return state.queuePart(video.id, { number, estimateS: 0, yields: yields + 1 });
    }
    await encodePart(deps, video, part, signal);
  }
  const parts = await listParts(db, video.id);
  const isComplete = parts.length > 0 && parts.every(({ result }) => result !== null);
  if (isComplete) await state.queueFinish(video.id, 0, { isJoin: true });
}

async function encodePart(
  { db, storage, media, state, settings }: Deps,
  { id, sourceKey, loudness, ladderCrf }: ProcessedVideo,
  part: PartRow,
  signal: AbortSignal,
): Promise<void> {
  let reportedAt = 0;
  async function report(share: number): Promise<void> {
    const now = Date.now();
    if (now - reportedAt < progressEveryMs || signal.aborted) return;
    reportedAt = now;
    const whole = await savePartProgress(db, id, part.number, share);
    await state.reportProgress(id, Math.min(0.99, progressOf("ladder", whole)));
  }

  const isLoudnessEven = await settings.isLoudnessEven();
  const gainDb = isLoudnessEven ? planGainDb(loudness) : 0;
  await using scratch = await storage.createScratch();
  const workDir = `${scratch.path}/work`;
  await mkdir(workDir);
  const made = await storage.withLocalFile(
    sourceKey,
    async (sourcePath) => {
      const facts = await media.probe(sourcePath, signal);
      return media.processPart({
        sourcePath,
        facts,
        workDir,
        part,
        gainDb,
        isLoudnessEven,
        signal,
        crf: ladderCrf ?? usualCrf,
        onProgress: (share) => void report(share).catch(() => undefined),
      });
    },
    signal,
  );
  // A folder of its own: a worker that was given up for dead may store the same renditions.
  const attempt = newToken(6);
  const renditions = await storePart(storage, part.folder, attempt, made);
  if (await savePart(db, id, part.number, renditions)) return;
  await storage.deletePrefix(`${part.folder}hls/${attempt}/`);
}

/** Stores the files of an attempt. @returns the renditions with addresses as in the master playlist. */
export async function storePart(
  storage: Storage,
  folder: string,
  attempt: string,
  { files, renditions }: PartOutput,
): Promise<Renditions> {
  for (const { name, path } of files) {
    const [parent = "", file = ""] = name.split("/");
    await storage.putFile(`${folder}${parent}/${attempt}/${file}`, path);
  }
  const inAttempt = <T extends { uri: string }>(track: T): T => ({
    ...track,
    uri: `${attempt}/${track.uri}`,
  });
  const { variants, sounds } = renditions;
  return {
    ...renditions,
    variants: variants.map(inAttempt),
    sounds: sounds.map(inAttempt),
  };
}
