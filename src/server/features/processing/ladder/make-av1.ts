import { mkdir } from "node:fs/promises";
import { posix } from "node:path";
import { newToken } from "#server/lib/ids.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { Media } from "#server/media/media.ts";
import type { RenditionOutput } from "#server/media/pipeline/ladder.step.ts";
import { isWorthwhile, planAv1, skipReason, type Av1Kind } from "#server/media/plan/av1.ts";
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
import { stepFolder } from "#server/storage/media-keys.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { CaptionsService } from "#server/features/captions/captions.service.ts";
import type { ProcessedVideo } from "#server/features/videos/processing-state/processed-video.ts";
import { storeRenditions } from "./store-renditions.ts";

interface Deps {
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
export async function makeAv1(
  { storage, media, captions, logger }: Deps,
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
