import type { Video } from "../../../contract/videos.ts";
import type { Db } from "../../db/connection.ts";
import type { Actor } from "../../lib/actor.ts";
import { AppError } from "../../lib/app-error.ts";
import { newToken } from "../../lib/ids.ts";
import type { Media } from "../../media/media.ts";
import type { Storage } from "../../storage/storage.ts";
import { recordAudit } from "../audit/audit.service.ts";
import { videoFolder } from "../../storage/media-address.ts";
import type { VideosService } from "./videos.service.ts";

export interface ThumbnailService {
  /**
   * Makes a picture (a local file; JPEG, PNG or WebP by its bytes) the face of a video, in lists and
   * on the player. @throws AppError not_found, unsupported_media, invalid.
   */
  replace(idOrSlug: string, picturePath: string, actor: Actor): Promise<Video>;
}

export function createThumbnailService(deps: {
  db: Db;
  storage: Storage;
  media: Pick<Media, "makeThumbnail">;
  videos: VideosService;
  changed: () => Promise<void>;
}): ThumbnailService {
  const { db, storage, media, videos, changed } = deps;
  return {
    async replace(idOrSlug, picturePath, actor) {
      const id = await videos.getId(idOrSlug, { isAdmin: true });
      await using scratch = await storage.makeScratch();
      const made = await media.makeThumbnail(picturePath, scratch.path);
      const extension = made.name.slice(made.name.lastIndexOf("."));
      const old = await db.transaction().execute(async (trx) => {
        const row = await trx
          .selectFrom("videos")
          .select(["media_token", "thumbnail_key", "poster_key", "version"])
          .where("id", "=", id)
          .forUpdate()
          .executeTakeFirst();
        if (row === undefined) throw new AppError("not_found", "Video not found");
        const key = `${videoFolder(row.media_token)}thumbnail-${newToken(6)}${extension}`;
        await storage.putFile(key, made.path, { consume: true });
        await trx
          .updateTable("videos")
          .set({
            thumbnail_key: key,
            // As elsewhere on the web, the face in lists is also what one sees before the play.
            poster_key: key,
            version: row.version + 1,
            updated_at: new Date(),
          })
          .where("id", "=", id)
          .execute();
        await recordAudit(trx, actor, {
          action: "video.thumbnail-changed",
          entity: "video",
          entityId: id,
          before: { thumbnail: row.thumbnail_key },
          after: { thumbnail: key },
        });
        return row;
      });
      await changed();
      for (const key of new Set([old.thumbnail_key, old.poster_key])) {
        // Somebody may look at the old picture at this moment; a missing one does no harm.
        if (key !== null) await storage.delete(key).catch(() => undefined);
      }
      return videos.get(id, { isAdmin: true });
    },
  };
}
