import type { Video } from "#contract/videos/videos.ts";
import { videoTag, type PublishChanges } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import { retireFiles } from "#server/db/retired-files.ts";
import { settleCommit } from "#server/db/settle-commit.ts";
import type { Media } from "#server/media/media.ts";
import { createThumbnailFolder, ownPosterKey } from "#server/storage/media-keys.ts";
import type { Storage } from "#server/storage/storage.ts";
import { deleteThumbnail, storeThumbnail } from "#server/storage/thumbnails.ts";
import { recordAudit, type Actor } from "#server/features/audit/audit.service.ts";
import { findVideoRow, getVideoRow, lockExistingVideo, updateVideo } from "./videos.repository.ts";
import type { VideosService } from "./videos.service.ts";

export function createThumbnailService(deps: {
  db: Db;
  storage: Storage;
  media: Media;
  videos: VideosService;
  changed: PublishChanges;
}) {
  const { db, storage, media, videos, changed } = deps;

  /**
   * Converts a local picture (JPEG, PNG or WebP, detected from its content) and stores it in a
   * video's folder, as a poster too if the player is to show it (`ownPosterKey`). @returns the key
   * of the thumbnail. @throws AppError unsupported_media, invalid.
   */
  async function store(
    mediaToken: string,
    picturePath: string,
    { isPoster }: { isPoster: boolean },
  ): Promise<string> {
    await using scratch = await storage.createScratch();
    const folder = createThumbnailFolder(mediaToken);
    const files = await media.makeThumbnail(picturePath, scratch.path);
    if (isPoster) {
      const poster = await media.makePoster(picturePath, scratch.path);
      await storage.putFile(folder + poster.name, poster.path, { consume: true });
    }
    // Awaited here, because the folder is deleted when this function ends.
    return await storeThumbnail(storage, folder, files);
  }

  return {
    store,

    /**
     * Stores a picture and makes it the thumbnail and the poster of a video.
     * @throws AppError not_found, unsupported_media, invalid.
     */
    async replace(idOrSlug: string, picturePath: string, actor: Actor): Promise<Video> {
      const video = await getVideoRow(db, idOrSlug);
      const key = await store(video.media_token, picturePath, { isPoster: true });
      const change = () =>
        db.transaction().execute(async (trx) => {
          const row = await lockExistingVideo(trx, video.id);
          await updateVideo(trx, row.id, {
            thumbnail_key: key,
            poster_key: ownPosterKey(key),
            version: row.version + 1,
          });
          // Cached pages still show the replaced thumbnail.
          await retireFiles(trx, [row.thumbnail_key, row.poster_key]);
          await recordAudit(trx, actor, {
            action: "video.thumbnail-changed",
            entity: "video",
            entityId: row.id,
            before: { title: row.title, thumbnail: row.thumbnail_key },
            after: { thumbnail: key },
          });
        });
      await settleCommit(change, {
        isCommitted: async () => (await findVideoRow(db, video.id))?.thumbnail_key === key,
        async deleteFiles() {
          await storage.delete(ownPosterKey(key));
          await deleteThumbnail(storage, key);
        },
      });
      await changed([videoTag(video.id)]);
      return videos.get(video.id, { isAdmin: true });
    },
  };
}

export type ThumbnailService = ReturnType<typeof createThumbnailService>;
