import type { Video } from "../../../contract/videos.ts";
import type { Config } from "../../config.ts";
import type { Db, Trx } from "../../db/connection.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { Actor } from "../../lib/actor.ts";
import { AppError } from "../../lib/app-error.ts";
import { newId, newToken } from "../../lib/ids.ts";
import { slugify } from "../../lib/slug.ts";
import type { Media } from "../../media/media.ts";
import type { Storage } from "../../storage/storage.ts";
import { recordAudit } from "../audit/audit.service.ts";
import type { CatalogService } from "../catalog/catalog.service.ts";
import { sourceKey, videoFolder } from "../../storage/media-address.ts";
import { presentVideo } from "../library/videos.presenter.ts";
import { hydrateVideos, insertVideo } from "../library/videos.repository.ts";

export interface IngestInput {
  /** The id of the new video where somebody has to know it before; by default a new one. */
  id?: string;
  /** A complete local file; it is moved away. */
  path: string;
  title: string;
  description: string | null;
  categories: string[];
  tags: string[];
  actors: string[];
  isPremium: boolean;
  /** A picture from the browser, also a local file, or null. */
  thumbnailPath: string | null;
  /** Null where no person uploads (the demonstration catalogue). */
  actor: Actor | null;
  signal?: AbortSignal;
}

export interface IngestService {
  /**
   * Takes a file in: judged, safe on disk and in the queue when this resolves. Nothing is left
   * behind when it rejects. @throws AppError unsupported_media, unusable_video, storage_full.
   */
  ingest(input: IngestInput): Promise<Video>;
}

/** "the-title", "the-title-2", ...: short as long as few share a title, random after that. */
function* slugCandidates(title: string): Generator<string> {
  const base =
    slugify(title) ||
    `video-${newToken(4)
      .toLowerCase()
      .replace(/[^a-z0-9]/g, "0")}`;
  yield base;
  for (let n = 2; n <= 20; n += 1) yield `${base}-${n}`;
  for (;;) yield `${base}-${newId().slice(-8)}`;
}

export function createIngestService(deps: {
  db: Db;
  config: Pick<Config, "maxUploadBytes">;
  catalog: CatalogService;
  storage: Storage;
  queue: JobQueue;
  media: Pick<Media, "probe" | "makeThumbnail">;
  changed: () => Promise<void>;
}): IngestService {
  const { db, catalog, storage, queue, media, changed } = deps;

  async function insertWithFreeSlug(
    trx: Trx,
    title: string,
    row: Omit<Parameters<typeof insertVideo>[1], "slug">,
  ): Promise<void> {
    for (const slug of slugCandidates(title)) {
      if (await insertVideo(trx, { ...row, slug })) return;
    }
  }

  async function storeThumbnail(picturePath: string, folder: string): Promise<string> {
    await using scratch = await storage.makeScratch();
    const made = await media.makeThumbnail(picturePath, scratch.path);
    const extension = made.name.slice(made.name.lastIndexOf("."));
    const key = `${folder}thumbnail-${newToken(6)}${extension}`;
    await storage.putFile(key, made.path, { consume: true });
    return key;
  }

  return {
    async ingest(input) {
      const facts = await media.probe(input.path, input.signal);
      const id = input.id ?? newId();
      const mediaToken = newToken();
      const folder = videoFolder(mediaToken);
      try {
        const thumbnailKey =
          input.thumbnailPath === null ? null : await storeThumbnail(input.thumbnailPath, folder);
        const source = await storage.putFile(sourceKey(id), input.path, { consume: true });
        await db.transaction().execute(async (trx) => {
          await insertWithFreeSlug(trx, input.title, {
            id,
            title: input.title,
            description: input.description,
            is_premium: input.isPremium,
            duration_s: facts.durationS,
            width: facts.video.width,
            height: facts.video.height,
            progress: 0,
            media_token: mediaToken,
            source_key: source.key,
            source_bytes: source.sizeBytes,
            thumbnail_key: thumbnailKey,
            uploaded_by: input.actor?.user.id ?? null,
          });
          await catalog.replaceLabels(trx, "categories", id, input.categories);
          await catalog.replaceLabels(trx, "tags", id, input.tags);
          await catalog.replaceLabels(trx, "actors", id, input.actors);
          if (input.actor !== null) {
            await recordAudit(trx, input.actor, {
              action: "video.uploaded",
              entity: "video",
              entityId: id,
              after: { title: input.title, sizeBytes: source.sizeBytes },
            });
          }
          await queue.enqueue(trx, "video.publish", { videoId: id }, { key: id });
        });
      } catch (error) {
        await storage.delete(sourceKey(id)).catch(() => undefined);
        await storage.deletePrefix(folder).catch(() => undefined);
        throw error;
      }
      await changed();
      const [hydrated] = await hydrateVideos(db, [id]);
      if (hydrated === undefined) throw new AppError("not_found", "Video not found");
      return presentVideo(hydrated, { isAdmin: true });
    },
  };
}
