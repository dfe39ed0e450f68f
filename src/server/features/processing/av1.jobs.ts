import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { isDatabaseUnreachable, type Db } from "#server/db/connection.ts";
import { queueAgain, defineJob, type JobQueue } from "#server/jobs/queue.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { Media } from "#server/media/media.ts";
import { skipReason, isWorthwhile, planAv1, type Av1Kind } from "#server/media/plan/av1.ts";
import { stepFolder } from "#server/storage/media-keys.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { CaptionsService } from "#server/features/captions/captions.service.ts";
import type { StoredFiles } from "#server/features/videos/files/stored-files.service.ts";
import type { ProcessedVideo } from "#server/features/videos/processing-state/processed-video.ts";
import type { ProcessingStateService } from "#server/features/videos/processing-state/processing-state.service.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import { findOutsideCause } from "#server/media/run/failure-causes.ts";
import type { RunningJobs } from "./running-jobs.ts";
import { mkdir } from "node:fs/promises";
import { posix } from "node:path";
import { newToken } from "#server/lib/ids.ts";
import type { RenditionOutput } from "#server/media/pipeline/ladder.step.ts";
import {
  efficientFolder,
  efficientMasterName,
  hdrFolder,
  largeMasterName,
  masterName,
} from "#server/media/plan/ladder.ts";
import {
  appendVariants,
  listSoundUris,
  listVariantUris,
  readPlaylist,
} from "#server/media/plan/master-playlist.ts";
import { usualCrf } from "#server/media/plan/quality.ts";
import type { Renditions } from "#server/media/plan/renditions.ts";
import type { MediaFacts } from "#server/media/facts/media-facts.ts";
import { isFileFailure } from "#server/media/run/media-process-error.ts";
import { storeRenditions } from "./ladder/store-renditions.ts";

interface RenditionDeps {
  storage: Storage;
  media: Media;
  captions: CaptionsService;
  logger: Logger;
}

const maxPlaylistBytes = 400_000;

/**
 * Adds AV1 renditions to a video's stored ladder, one encode each. Also adds HDR renditions if the
 * source is HDR. Existing renditions stay.
 * @returns the reason shown in the back office if a kind has none, and whether any were made.
 */
async function makeAv1(
  { storage, media, captions, logger }: RenditionDeps,
  video: ProcessedVideo,
  signal: AbortSignal,
): Promise<{ hasRenditions: boolean; reasons: string[] }> {
  const none = (...reasons: string[]) => ({ hasRenditions: false, reasons });
  const master = video.files.hls_master;
  if (master === null) return none();
  const folder = posix.dirname(master);
  const target = `${folder}/${efficientMasterName}`;
  const has = async (name: string) => (await storage.findStat(`${folder}/${name}`)) !== null;
  if (await has(efficientMasterName)) {
    // An attempt that died may have written the playlist but not switched to it.
    await captions.refreshMaster(video.id);
    return { hasRenditions: true, reasons: [] };
  }
  if (!(await has(masterName))) return none();
  if ((await storage.findStat(video.sourceKey)) === null) {
    return none(skipReason("AV1", "the original is gone"));
  }
  if (!media.report.hasSvtAv1) {
    return none(skipReason("AV1", "the server's ffmpeg lacks libsvtav1"));
  }

  const read = async (uri: string): Promise<string> =>
    (await storage.readBytes(`${folder}/${uri}`, maxPlaylistBytes)).toString();
  const readAll = (uris: readonly string[]) =>
    Promise.all(uris.map(async (uri) => readPlaylist(await read(uri))));
  const text = await read((await has(largeMasterName)) ? largeMasterName : masterName);
  const present = await readAll(listVariantUris(text));

  await using scratch = await storage.createScratch();
  return await storage.withLocalFile(
    video.sourceKey,
    async (sourcePath) => {
      const facts = await media.probe(sourcePath, signal);
      const usual = await encodeAll(sourcePath, facts, "AV1");
      const hdr = await encodeAll(sourcePath, facts, "HDR");
      const reasons = [usual.reason, hdr.reason].filter((reason) => reason !== null);
      if (usual.made.length + hdr.made.length === 0) return none(...reasons);
      // Deletes the files of an earlier attempt that died.
      await storage.deletePrefix(`${folder}/${efficientFolder}`);
      const videoRange: "PQ" | "HLG" = facts.video.colorTransfer === "smpte2084" ? "PQ" : "HLG";
      const variants = [
        ...(await store(master, efficientFolder, usual.made)),
        ...(await store(master, hdrFolder, hdr.made)).map((each) => ({ ...each, videoRange })),
      ];
      const sounds = await readAll(listSoundUris(text));
      await storage.putBytes(target, appendVariants(text, variants, sounds));
      await captions.refreshMaster(video.id);
      return { hasRenditions: true, reasons };
    },
    signal,
  );

  async function encodeAll(
    sourcePath: string,
    facts: MediaFacts,
    kind: Av1Kind,
  ): Promise<{ made: RenditionOutput[]; reason: string | null }> {
    const plan = planAv1(facts, kind);
    if (plan.rungs === null) return { made: [], reason: plan.reason };
    const made: RenditionOutput[] = [];
    try {
      for (const { shortSide } of plan.rungs) {
        const workDir = `${scratch.path}/${kind}-${shortSide}`;
        await mkdir(workDir);
        made.push(
          await media.encodeRendition({
            sourcePath,
            facts,
            keptParts: video.keptParts,
            workDir,
            signal,
            shortSide,
            crf: video.ladderCrf ?? usualCrf,
            isAv1: true,
            isHdr: kind === "HDR",
          }),
        );
      }
    } catch (error) {
      if (!isFileFailure(error)) throw error;
      logger.warn({ err: error, videoId: video.id, kind }, "AV1 renditions failed");
      return { made: [], reason: skipReason(kind, "couldn't encode the picture") };
    }
    const rates = made.flatMap(({ renditions }) => renditions.variants);
    if (kind === "AV1" && !isWorthwhile(averages(rates), averages(present))) {
      return { made: [], reason: skipReason(kind, "they would hardly be smaller") };
    }
    return { made, reason: null };
  }

  async function store(
    masterKey: string,
    into: string,
    made: readonly RenditionOutput[],
  ): Promise<Renditions["variants"]> {
    const attempt = `${into}${newToken(6)}`;
    const stored = [];
    for (const output of made) {
      stored.push(await storeRenditions(storage, stepFolder(masterKey), attempt, output));
    }
    return stored.flatMap(({ variants }) => variants);
  }
}

const averages = (tracks: readonly { averageBps: number }[]): number[] =>
  tracks.map(({ averageBps }) => averageBps);

const name = "video.efficient";
/** Interval for checking whether other videos are being processed. */
const lookEveryMs = 10_000;
/** Delay after an attempt failed for an external reason, and maximum number of such delays. */
const waitS = 600;
const maxWaits = 6;

interface Deps {
  db: Db;
  queue: JobQueue;
  storage: Storage;
  media: Media;
  state: ProcessingStateService;
  storedFiles: StoredFiles;
  captions: CaptionsService;
  settings: SettingsService;
  running: RunningJobs;
  logger: Logger;
}

/**
 * Creates the job that adds AV1 renditions. It starts only while no other video is or could be
 * processed, one at a time per process, at the lowest priority. Playback doesn't change until the
 * job ends with a new playlist.
 */
export function createAv1Renditions(deps: Deps) {
  const { db, queue, state, settings } = deps;
  return {
    /** Requests AV1 renditions once all other renditions of a video are done. */
    async request(videoId: string): Promise<void> {
      if (await settings.wantsEfficient())
        await queue.enqueue(db, name, { videoId }, { key: videoId });
    },

    job: defineJob({
      name,
      payload: z.object({ videoId: z.uuid(), waits: z.int().min(0).default(0) }),
      concurrency: 1,
      async run({ videoId, waits }, { signal }) {
        while (await state.isBusy()) await wait(lookEveryMs, undefined, { signal });
        // The settings may have changed in the meantime.
        if (!(await settings.wantsEfficient())) return;
        const video = await state.find(videoId);
        if (video === null || video.status !== "ready" || video.progress !== 1) return;
        await deps.storedFiles.withoutLeftovers(video, async () => {
          try {
            await deps.running.run(video, signal, (either) => make(deps, video, either));
          } catch (error) {
            if (signal.aborted || isDatabaseUnreachable(error)) throw error;
            if (await isCurrent(state, video)) await decide(deps, video, waits, error);
          }
        });
        // A request for new files has the same key, so it was dropped while this job was running.
        if (!(await isCurrent(state, video))) {
          await queueAgain(deps, name, { videoId, waits }, 0);
        }
      },
    }),
  };
}

/** Makes AV1 renditions in addition to H.264, if the settings ask for them. */
export type Av1Renditions = ReturnType<typeof createAv1Renditions>;

async function make(deps: Deps, video: ProcessedVideo, signal: AbortSignal): Promise<void> {
  const { state, storedFiles } = deps;
  const { hasRenditions, reasons } = await makeAv1(deps, video, signal);
  if (!(await isCurrent(state, video))) return;
  if (reasons.length > 0) await state.saveFiles(video.id, [], { addedNotices: reasons });
  const current = hasRenditions ? await state.find(video.id) : null;
  if (current === null) return;
  await state.saveStoredBytes(video.id, await storedFiles.countBytes(current));
}

/** Returns whether a video still has the ladder that the job works on. */
async function isCurrent(
  state: ProcessingStateService,
  { id, files }: ProcessedVideo,
): Promise<boolean> {
  const current = await state.find(id);
  if (current === null) return false;
  return stepFolder(current.files.hls_master ?? "") === stepFolder(files.hls_master ?? "");
}

/** Retries environmental failures. Reports all others. */
async function decide(
  deps: Deps,
  { id, videoId }: ProcessedVideo,
  waits: number,
  error: unknown,
): Promise<void> {
  const { state, logger } = deps;
  logger.warn({ err: error, videoId, waits }, "no AV1 renditions");
  if (findOutsideCause(error) !== null && waits < maxWaits) {
    return queueAgain(deps, name, { videoId, waits }, waitS);
  }
  await state.saveFiles(id, [], { addedNotices: [skipReason("AV1", "making them failed")] });
}
