import { mkdir } from "node:fs/promises";
import { posix } from "node:path";
import { newToken } from "#server/lib/ids.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { Media } from "#server/media/media.ts";
import { largeMasterName, masterName } from "#server/media/plan/ladder.ts";
import { addVariants, listSoundUris, readPlaylist } from "#server/media/plan/master-playlist.ts";
import { usualCrf } from "#server/media/plan/quality.ts";
import type { Renditions } from "#server/media/plan/renditions.ts";
import { planLargeRungs } from "#server/media/plan/rungs.ts";
import { toFps } from "#server/media/facts/frame-rate.ts";
import type { MediaFacts } from "#server/media/facts/media-facts.ts";
import { isFileFailure } from "#server/media/run/media-process-error.ts";
import { stepFolder } from "#server/storage/media-keys.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { CaptionsService } from "#server/features/captions/captions.service.ts";
import {
  isNewFile,
  type ProcessedVideo,
} from "#server/features/videos/processing-state/processed-video.ts";
import type { ProcessingStateService } from "#server/features/videos/processing-state/processing-state.service.ts";
import { storeRenditions } from "./store-renditions.ts";

interface Deps {
  storage: Storage;
  media: Media;
  state: Pick<ProcessingStateService, "saveFiles">;
  captions: Pick<CaptionsService, "refreshMaster">;
  logger: Logger;
}

const maxPlaylistBytes = 400_000;

/**
 * Adds renditions above 1080 lines to a video's stored ladder, one encode each. Skips and reports
 * those that can't be encoded within the limits.
 */
export async function makeLarge(
  { storage, media, state, captions, logger }: Deps,
  video: ProcessedVideo,
  signal: AbortSignal,
): Promise<void> {
  const master = video.files.hls_master;
  if (master === null || video.progress === 1) return;
  const folder = posix.dirname(master);
  const target = `${folder}/${largeMasterName}`;
  const ladder = `${folder}/${masterName}`;
  const isNeeded =
    (await storage.findStat(target)) === null && (await storage.findStat(ladder)) !== null;
  if (!isNeeded) return;

  await using scratch = await storage.createScratch();
  // A separate folder, because an abandoned attempt may have stored the same renditions.
  const attempt = newToken(6);
  const made: Renditions["variants"] = [];
  const notices: string[] = [];
  await storage.withLocalFile(
    video.sourceKey,
    async (sourcePath) => {
      const facts = await media.probe(sourcePath, signal);
      for (const side of listLargeSides(facts)) {
        const workDir = `${scratch.path}/${side}`;
        await mkdir(workDir);
        try {
          const output = await media.encodeRendition({
            sourcePath,
            facts,
            workDir,
            signal,
            shortSide: side,
            crf: video.ladderCrf ?? usualCrf,
          });
          const stored = await storeRenditions(storage, stepFolder(master), attempt, output);
          made.push(...stored.variants);
        } catch (error) {
          if (!isFileFailure(error)) throw error;
          logger.warn({ err: error, videoId: video.id, side }, "a large rendition failed");
          notices.push(`Couldn't encode the picture at ${side} lines.`);
        }
      }
    },
    signal,
  );
  const [largest] = made;
  if (largest === undefined) return state.saveFiles(video.id, [], { addedNotices: notices });

  const read = async (key: string): Promise<string> =>
    (await storage.readBytes(key, maxPlaylistBytes)).toString();
  const text = await read(ladder);
  const sounds = await Promise.all(
    listSoundUris(text).map(async (uri) => readPlaylist(await read(`${folder}/${uri}`))),
  );
  await storage.putBytes(target, addVariants(text, made, sounds));
  const { width, height } = largest;
  const isLarger = width * height > (video.width ?? 0) * (video.height ?? 0);
  await state.saveFiles(video.id, [{ role: "hls_master", key: target }], {
    size: isLarger ? { width, height } : undefined,
    addedNotices: notices,
  });
  if (!isNewFile(video)) await captions.refreshMaster(video.id);
}

const listLargeSides = ({ video }: MediaFacts): number[] =>
  planLargeRungs(video.width, video.height, toFps(video.fps)).map(({ shortSide }) => shortSide);
