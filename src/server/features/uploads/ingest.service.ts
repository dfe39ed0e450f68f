import { createReadStream } from "node:fs";
import type { SameFile, Video } from "#contract/videos/videos.ts";
import { videoTag, type PublishChanges } from "#server/db/change-tags.ts";
import { settleCommit } from "#server/db/settle-commit.ts";
import type { Actor } from "#server/features/audit/audit.service.ts";
import { AppError } from "#server/lib/app-error.ts";
import { newId, newToken, hashOf } from "#server/lib/ids.ts";
import type { Logger } from "#server/lib/logger.ts";
import { addCounter, type Metrics } from "#server/lib/metrics/metrics.ts";
import type { Media } from "#server/media/media.ts";
import { sourceKey, videoFolder } from "#server/storage/media-keys.ts";
import type { ObjectStat, Storage } from "#server/storage/storage.ts";
import type { BlockedFilesService } from "#server/features/moderation/blocked-files.service.ts";
import type { NewVideo, NewVideosService } from "#server/features/videos/new-videos.service.ts";
import type { ReplacementsService } from "#server/features/videos/replacements/replacements.service.ts";
import type { ThumbnailService } from "#server/features/videos/thumbnail.service.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";

export interface IngestInput extends Pick<
  NewVideo,
  "slug" | "title" | "description" | "isPremium" | "labels" | "past" | "actor"
> {
  /** Id of the new video, if it is already assigned. */
  id?: string;
  /** Complete local file. It is moved from this path. */
  path: string;
  /** Turns the file into the object `sourceKey(id)` if its parts are already stored. */
  keep?: () => Promise<ObjectStat>;
  /**
   * True to keep the object even if the video can't be created. Another attempt with the same id
   * may have created the video, or may do so later.
   */
  isKept?: boolean;
  /** Local file with a picture that the browser made, or null. */
  thumbnailPath: string | null;
  signal?: AbortSignal;
}

interface ReplaceInput extends Pick<IngestInput, "id" | "path" | "keep" | "isKept" | "signal"> {
  /** Video that gets a new file. */
  videoId: string;
  actor: Actor;
}

/** Chunk size for hashing. For smaller chunks, the overhead exceeds the cost of the hash. */
const highWaterMark = 1024 * 1024;

const createUploadCounters = (metrics: Metrics) => ({
  uploads: addCounter(
    metrics,
    "kinora_uploads_total",
    "Complete uploads: accepted, or refused by reason.",
    [{ result: "accepted" }],
  ),
  bytes: addCounter(metrics, "kinora_upload_bytes_total", "Bytes of accepted uploads.", [{}]),
});

export function createIngestService(deps: {
  storage: Storage;
  media: Media;
  newVideos: NewVideosService;
  replacements: ReplacementsService;
  thumbnails: ThumbnailService;
  videos: VideosService;
  logger: Logger;
  changed: PublishChanges;
  blockedFiles: BlockedFilesService;
  metrics: Metrics;
}) {
  const { storage, media, newVideos, replacements, thumbnails, videos, changed, logger } = deps;
  const { blockedFiles, metrics } = deps;
  const { uploads, bytes } = createUploadCounters(metrics);
  const check = async (path: string, signal?: AbortSignal) => {
    // The probe is another process. Both must end before the file can be deleted.
    const [facts, hash] = await Promise.allSettled([
      media.probe(path, signal),
      hashOf(createReadStream(path, { highWaterMark })),
    ]);
    if (facts.status === "rejected") throw facts.reason;
    if (hash.status === "rejected") throw hash.reason;
    await blockedFiles.refuse(hash.value);
    return { facts: facts.value, sha256: hash.value };
  };
  const probe = (path: string, signal?: AbortSignal) =>
    check(path, signal).catch((error: unknown) => {
      uploads.inc({ result: error instanceof AppError ? error.code : "failed" });
      throw error;
    });
  const storeSource = ({
    id,
    path,
    keep,
    signal,
  }: Required<Pick<IngestInput, "id" | "path">> & {
    keep: IngestInput["keep"] | undefined;
    signal: AbortSignal | undefined;
  }): Promise<ObjectStat> =>
    keep?.() ?? storage.putFile(sourceKey(id), path, { consume: true, signal });
  const noteAccepted = (sizeBytes: number) => {
    uploads.inc({ result: "accepted" });
    bytes.inc(sizeBytes);
  };
  /**
   * Lists videos with the same file. If that fails, lists none, because the video already exists.
   */
  const findSame = (id: string): Promise<SameFile[]> =>
    videos.listSameFiles(id).catch((error: unknown) => {
      logger.warn({ err: error, videoId: id }, "couldn't compare the source with others");
      return [];
    });
  return {
    /**
     * Checks a file, stores it and queues its processing. Rejected uploads leave nothing behind.
     * @throws AppError unsupported_media, unusable_video, storage_full, conflict for a taken slug.
     */
    async ingest({
      id = newId(),
      path,
      keep,
      isKept,
      thumbnailPath,
      signal,
      ...about
    }: IngestInput): Promise<Video> {
      const { facts, sha256 } = await probe(path, signal);
      const mediaToken = newToken();
      const deleteFiles = async () => {
        await storage.deletePrefix(videoFolder(mediaToken)).catch(() => undefined);
        if (isKept !== true) await storage.delete(sourceKey(id)).catch(() => undefined);
      };
      const store = async () => {
        const isPoster = about.past !== undefined;
        const thumbnailKey =
          thumbnailPath === null
            ? null
            : await thumbnails.store(mediaToken, thumbnailPath, { isPoster });
        return { thumbnailKey, source: await storeSource({ id, path, keep, signal }) };
      };
      const { thumbnailKey, source } = await store().catch(async (error: unknown) => {
        await deleteFiles();
        throw error;
      });
      await settleCommit(
        () =>
          newVideos.create({
            ...about,
            id,
            mediaToken,
            durationS: facts.durationS,
            width: facts.video.width,
            height: facts.video.height,
            mediaNotices: facts.notices,
            source: { ...source, sha256 },
            thumbnailKey,
          }),
        { isCommitted: async () => (await videos.find(id)) !== null, deleteFiles },
      );
      noteAccepted(source.sizeBytes);
      await changed([videoTag(id)]);
      return { ...(await videos.get(id, { isAdmin: true })), sameFileAs: await findSame(id) };
    },

    /**
     * Replaces a video's file. The old one plays until the new one is ready.
     * @throws AppError like `ingest`, and not_found, conflict.
     */
    async replace({
      id = newId(),
      videoId,
      path,
      keep,
      isKept,
      signal,
      actor,
    }: ReplaceInput): Promise<Video> {
      await replacements.check(videoId);
      const { facts, sha256 } = await probe(path, signal);
      const deleteFiles = async () => {
        if (isKept !== true) await storage.delete(sourceKey(id)).catch(() => undefined);
      };
      const source = await storeSource({ id, path, keep, signal }).catch(async (error: unknown) => {
        await deleteFiles();
        throw error;
      });
      await settleCommit(
        () =>
          replacements.begin(videoId, {
            id,
            durationS: facts.durationS,
            width: facts.video.width,
            height: facts.video.height,
            mediaNotices: facts.notices,
            source: { ...source, sha256 },
            actor,
          }),
        { isCommitted: async () => (await replacements.findVideo(id)) !== null, deleteFiles },
      );
      noteAccepted(source.sizeBytes);
      return videos.get(videoId, { isAdmin: true });
    },
  };
}

export type IngestService = ReturnType<typeof createIngestService>;
