import { mkdir } from "node:fs/promises";
import { posix } from "node:path";
import { newToken } from "../../../lib/ids.ts";
import type { Logger } from "../../../lib/logger.ts";
import type { Media } from "../../../media/media.ts";
import type { PartOutput } from "../../../media/pipeline/process-part.ts";
import { isWorthwhile, planEfficient, whyNoEfficient } from "../../../media/plan/efficient.ts";
import { efficientFolder, efficientMasterName, masterName } from "../../../media/plan/ladder.ts";
import {
  appendVariants,
  listSoundUris,
  listVariantUris,
  readPlaylist,
} from "../../../media/plan/master-playlist.ts";
import { usualCrf } from "../../../media/plan/quality.ts";
import type { MediaFacts } from "../../../media/probe/media-facts.ts";
import { MediaProcessError } from "../../../media/run/media-process-error.ts";
import { stepFolderOf } from "../../../storage/media-keys.ts";
import type { Storage } from "../../../storage/storage.ts";
import type { CaptionsService } from "../../captions/captions.service.ts";
import type { ProcessedVideo } from "../../library/processing-state/processed-video.ts";
import { storePart } from "./make-part.ts";

interface Deps {
  storage: Storage;
  media: Media;
  captions: Pick<CaptionsService, "refreshMaster">;
  logger: Logger;
}

const maxPlaylistBytes = 400_000;

/**
 * Adds AV1 renditions to the stored ladder of a video, each in a pass of its own. What plays stays.
 * @returns what the back office says where none are made, and whether some were.
 */
export async function makeEfficient(
  { storage, media, captions, logger }: Deps,
  video: ProcessedVideo,
  signal: AbortSignal,
): Promise<{ isMade: boolean; reason: string | null }> {
  const none = (reason: string | null) => ({ isMade: false, reason });
  const master = video.files.hls_master;
  if (master === null) return none(null);
  const folder = posix.dirname(master);
  const target = `${folder}/${efficientMasterName}`;
  const ladder = `${folder}/${masterName}`;
  const isNeeded =
    (await storage.findStat(target)) === null && (await storage.findStat(ladder)) !== null;
  if (!isNeeded) return none(null);
  if ((await storage.findStat(video.sourceKey)) === null) {
    return none(whyNoEfficient("the original is gone"));
  }
  if (!media.report.hasSvtAv1) {
    return none(whyNoEfficient("the ffmpeg of the server lacks libsvtav1"));
  }

  const read = async (uri: string): Promise<string> =>
    (await storage.readBytes(`${folder}/${uri}`, maxPlaylistBytes)).toString();
  const readAll = (uris: readonly string[]) =>
    Promise.all(uris.map(async (uri) => readPlaylist(await read(uri))));
  const text = await read(masterName);
  const present = await readAll(listVariantUris(text));

  await using scratch = await storage.createScratch();
  return await storage.withLocalFile(
    video.sourceKey,
    async (sourcePath) => {
      const facts = await media.probe(sourcePath, signal);
      const plan = planEfficient(facts);
      if (plan.rungs === null) return none(plan.reason);
      const made: PartOutput[] = [];
      try {
        for (const { shortSide } of plan.rungs) {
          const workDir = `${scratch.path}/${shortSide}`;
          await mkdir(workDir);
          const part = { sides: [shortSide], hasSound: false };
          made.push(await encode({ sourcePath, facts, workDir, part, signal }));
        }
      } catch (error) {
        if (!(error instanceof MediaProcessError)) throw error;
        logger.warn({ err: error, videoId: video.id }, "AV1 renditions failed");
        return none(whyNoEfficient("the picture could not be encoded"));
      }
      const rates = made.flatMap(({ renditions }) => renditions.variants);
      const averages = (tracks: readonly { averageBps: number }[]) =>
        tracks.map(({ averageBps }) => averageBps);
      if (!isWorthwhile(averages(rates), averages(present))) {
        return none(whyNoEfficient("they would hardly be smaller"));
      }
      // What an attempt that died has stored.
      await storage.deletePrefix(`${folder}/${efficientFolder}`);
      const attempt = `${efficientFolder}${newToken(6)}`;
      const stored = [];
      for (const output of made) {
        stored.push(await storePart(storage, stepFolderOf(master), attempt, output));
      }
      const sounds = await readAll(listSoundUris(text));
      const variants = stored.flatMap((renditions) => renditions.variants);
      await storage.putBytes(target, appendVariants(text, variants, sounds));
      await captions.refreshMaster(video.id);
      return { isMade: true, reason: null };
    },
    signal,
  );

  function encode(job: {
    sourcePath: string;
    facts: MediaFacts;
    workDir: string;
    part: { sides: number[]; hasSound: boolean };
    signal: AbortSignal;
  }): Promise<PartOutput> {
    const crf = video.ladderCrf ?? usualCrf;
    return media.processPart({ ...job, crf, isAv1: true, gainDb: 0, isLoudnessEven: false });
  }
}
