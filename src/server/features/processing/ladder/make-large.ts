import { mkdir } from "node:fs/promises";
import { posix } from "node:path";
import { newToken } from "#server/lib/ids.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { Media } from "#server/media/media.ts";
import type { RenditionOutput } from "#server/media/pipeline/ladder.step.ts";
import { largeMasterName, masterName } from "#server/media/plan/ladder.ts";
import { addVariants, listSoundUris, readPlaylist } from "#server/media/plan/master-playlist.ts";
import { usualCrf } from "#server/media/plan/quality.ts";
import type { Renditions } from "#server/media/plan/renditions.ts";
import { planLargeRungs } from "#server/media/plan/rungs.ts";
import { toFps, type MediaFacts } from "#server/media/facts/media-facts.ts";
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
  state: ProcessingStateService;
  captions: CaptionsService;
  logger: Logger;
}

const maxPlaylistBytes = 400_000;

/** Folder of these renditions beside the playlist. */
const largeFolder = "large/";

/**
 * Adds renditions above 1080 lines to a video's stored ladder, one encode each. Skips and reports
 * those that can't be encoded within the limits.
 */
export async function makeLarge(
  deps: Deps,
  video: ProcessedVideo,
  signal: AbortSignal,
): Promise<void> {
  const { storage, state, captions } = deps;
  const master = video.files.hls_master;
  if (master === null || video.progress === 1) return;
  const target = `${posix.dirname(master)}/${largeMasterName}`;
  // An attempt that died may have written the playlist but not switched to it.
  if ((await storage.findStat(target)) === null) {
    const isMade = await encodeLarge(deps, video, master, signal);
    if (!isMade) return;
  }
  const largest = findLargest((await storage.readBytes(target, maxPlaylistBytes)).toString());
  const isLarger = largest.width * largest.height > (video.width ?? 0) * (video.height ?? 0);
  await state.saveFiles(video.id, [{ role: "hls_master", key: target }], {
    size: isLarger ? largest : undefined,
  });
  if (!isNewFile(video)) await captions.refreshMaster(video.id);
}

/** Encodes and stores the renditions and their playlist. @returns whether there are any. */
async function encodeLarge(
  { storage, media, state, logger }: Deps,
  video: ProcessedVideo,
  master: string,
  signal: AbortSignal,
): Promise<boolean> {
  const folder = posix.dirname(master);
  const ladder = `${folder}/${masterName}`;
  if ((await storage.findStat(ladder)) === null) return false;

  await using scratch = await storage.createScratch();
  const made: RenditionOutput[] = [];
  const notices: string[] = [];
  await storage.withLocalFile(
    video.sourceKey,
    async (sourcePath) => {
      const facts = await media.probe(sourcePath, signal);
      for (const side of listLargeSides(facts)) {
        const workDir = `${scratch.path}/${side}`;
        await mkdir(workDir);
        try {
          made.push(
            await media.encodeRendition({
              sourcePath,
              facts,
              keptParts: video.keptParts,
              workDir,
              signal,
              shortSide: side,
              crf: video.ladderCrf ?? usualCrf,
            }),
          );
        } catch (error) {
          if (!isFileFailure(error)) throw error;
          logger.warn({ err: error, videoId: video.id, side }, "a large rendition failed");
          notices.push(`Couldn't encode the picture at ${side} lines.`);
        }
      }
    },
    signal,
  );
  await state.saveFiles(video.id, [], { addedNotices: notices });
  if (made.length === 0) return false;

  // Deletes the files of an earlier attempt that died.
  await storage.deletePrefix(`${folder}/${largeFolder}`);
  // A separate folder, because an abandoned attempt may still be storing the same renditions.
  const attempt = largeFolder + newToken(6);
  const variants: Renditions["variants"] = [];
  for (const output of made) {
    const stored = await storeRenditions(storage, stepFolder(master), attempt, output);
    variants.push(...stored.variants);
  }
  const read = async (key: string): Promise<string> =>
    (await storage.readBytes(key, maxPlaylistBytes)).toString();
  const text = await read(ladder);
  const sounds = await Promise.all(
    listSoundUris(text).map(async (uri) => readPlaylist(await read(`${folder}/${uri}`))),
  );
  await storage.putBytes(`${folder}/${largeMasterName}`, addVariants(text, variants, sounds));
  return true;
}

/** Returns the size of the largest rendition in a multivariant playlist. */
function findLargest(master: string): { width: number; height: number } {
  const sizes = Array.from(master.matchAll(/RESOLUTION=(\d+)x(\d+)/g), ([, width, height]) => ({
    width: Number(width),
    height: Number(height),
  }));
  const areaOf = (size: { width: number; height: number }) => size.width * size.height;
  return sizes.reduce((a, b) => (areaOf(b) > areaOf(a) ? b : a), { width: 0, height: 0 });
}

const listLargeSides = ({ video }: MediaFacts): number[] =>
  planLargeRungs(video.width, video.height, toFps(video.fps)).map(({ shortSide }) => shortSide);
