import type { Video } from "../../../contract/videos.ts";
import { videoTag, type PublishChanges } from "../../db/change-tags.ts";
import { newId, newToken } from "../../lib/ids.ts";
import type { Media } from "../../media/media.ts";
import { sourceKey, videoFolder } from "../../storage/media-keys.ts";
import type { Storage } from "../../storage/storage.ts";
import type { NewVideo, NewVideosService } from "../library/new-videos.service.ts";
import type { ThumbnailService } from "../library/files/thumbnail.service.ts";
import type { VideosService } from "../library/videos.service.ts";

export interface IngestInput extends Pick<
  NewVideo,
  "title" | "description" | "isPremium" | "labels" | "actor"
> {
  /** The id of the new video if it is fixed already; by default a new one. */
  id?: string;
  /** A complete local file; it is moved away. */
  path: string;
  /** A picture from the browser, also a local file, or null. */
  thumbnailPath: string | null;
  signal?: AbortSignal;
}

export interface IngestService {
  /**
   * Checks a file, stores it and queues its processing. A rejected upload leaves nothing behind.
   * @throws AppError unsupported_media, unusable_video, storage_full.
   */
  ingest(input: IngestInput): Promise<Video>;
}

export function createIngestService(deps: {
  storage: Storage;
  media: Pick<Media, "probe">;
  newVideos: NewVideosService;
  thumbnails: Pick<ThumbnailService, "store">;
  videos: Pick<VideosService, "get">;
  changed: PublishChanges;
}): IngestService {
  const { storage, media, newVideos, thumbnails, videos, changed } = deps;
  return {
    async ingest({ id = newId(), path, thumbnailPath, signal, ...about }) {
      const facts = await media.probe(path, signal);
      const mediaToken = newToken();
      try {
        const thumbnailKey =
          thumbnailPath === null ? null : await thumbnails.store(mediaToken, thumbnailPath);
        const source = await storage.putFile(sourceKey(id), path, { consume: true });
        await newVideos.create({
          ...about,
          id,
          mediaToken,
          durationS: facts.durationS,
          width: facts.video.width,
          height: facts.video.height,
          source,
          thumbnailKey,
        });
      } catch (error) {
        await storage.delete(sourceKey(id)).catch(() => undefined);
        await storage.deletePrefix(videoFolder(mediaToken)).catch(() => undefined);
        throw error;
      }
      await changed([videoTag(id)]);
      return videos.get(id, { isAdmin: true });
    },
  };
}
