import { link } from "node:fs/promises";
import { captionLimits } from "#contract/videos/captions.ts";
import { formatFileSize } from "#contract/videos/file-size.ts";
import { nameOfLanguage } from "#contract/videos/track-names.ts";
import type { Config } from "#server/config.ts";
import { isDatabaseUnreachable, type Db } from "#server/db/connection.ts";
import type { Actor } from "#server/features/audit/audit.service.ts";
import { AppError, hasCode } from "#server/lib/app-error.ts";
import { isCameraData, readCaptions } from "#server/lib/captions/read-captions.ts";
import { tidyChapters } from "#server/lib/chapters.ts";
import { newId } from "#server/lib/ids.ts";
import { cleanLanguage } from "#server/lib/track-language.ts";
import type { Media } from "#server/media/media.ts";
import { receiveToFile, tooLargeMessage } from "#server/storage/receive-file.ts";
import type { SiteStorage } from "#server/storage/site-storage.ts";
import type { CaptionsService } from "#server/features/captions/captions.service.ts";
import type { IngestService } from "#server/features/uploads/ingest.service.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";
import type { OldAddresses } from "./old-addresses.ts";
import type { OpenSource } from "./read-source.ts";
import * as repository from "./site-imports.repository.ts";
import { readSmall, type SourceFiles } from "./source-files.ts";
import type { SourceCaption, SourceItem } from "./source-item.ts";

export interface ImportChoices {
  /** True to publish the videos as they were. Otherwise they become drafts. */
  publishes: boolean;
  /** True to take over views and likes. */
  counts: boolean;
  /** True to link files on the same disk instead of copying them. */
  links: boolean;
}

interface AddedItem {
  outcome: "added" | "known";
  videoId: string;
  note: string;
}

/** Size of a picture for a thumbnail, larger than what uploads accept. */
const maxPictureBytes = 20 * 1024 * 1024;

/** Adds videos of another site, each exactly once. */
export function createItemWriter(deps: {
  config: Config;
  db: Db;
  storage: SiteStorage;
  media: Media;
  videos: VideosService;
  captions: CaptionsService;
  ingest: IngestService;
  addresses: OldAddresses;
}) {
  const { config, db, storage, media, videos, captions, ingest, addresses } = deps;

  /** Renditions take about as much space as the file, which is copied unless it is linked. */
  const spaceFor = ({ sizeBytes }: SourceItem, { links }: ImportChoices): number =>
    links ? sizeBytes : sizeBytes * 2;

  /** Returns why a video can't be imported, before its file is touched. */
  function findObstacle(
    item: SourceItem,
    choices: ImportChoices,
    freeBytes: number | null,
  ): AppError | null {
    if (item.sizeBytes === 0) return new AppError("invalid", "its file is empty");
    if (item.sizeBytes > config.maxUploadBytes) {
      const message = `${tooLargeMessage(config.maxUploadBytes)} Set MAX_UPLOAD_BYTES to allow it.`;
      return new AppError("too_large", message);
    }
    const needed = spaceFor(item, choices);
    if (freeBytes === null || needed <= freeBytes) return null;
    const [need, free] = [needed, freeBytes].map(formatFileSize);
    const message = `needs ${need} with its renditions, and only ${free} is free`;
    return new AppError("storage_full", message);
  }

  /** Copies or links the file to a path in the scratch folder. */
  async function receive(
    files: SourceFiles,
    item: SourceItem,
    path: string,
    { links, signal }: { links: boolean; signal: AbortSignal },
  ): Promise<void> {
    const local = links ? files.localPath(item.file) : null;
    if (local === null) {
      const source = await files.open(item.file, signal);
      await receiveToFile(source, path, { maxBytes: config.maxUploadBytes, signal });
      return;
    }
    try {
      await link(local, path);
    } catch (error) {
      if (!hasCode(error, "EXDEV", "EPERM", "EACCES", "EMLINK", "ENOTSUP", "ENOSYS")) throw error;
      const message = "can't be linked to the disk of the storage. Import it without links.";
      throw new AppError("invalid", message, { cause: error });
    }
  }

  /** Returns the path of a usable picture, or null. */
  async function receiveThumbnail(
    files: SourceFiles,
    { thumbnail }: SourceItem,
    folder: string,
    notes: string[],
  ): Promise<string | null> {
    if (thumbnail === null) return null;
    const path = `${folder}/picture`;
    await using trial = await storage.createScratch();
    try {
      const source = await files.open(thumbnail);
      await receiveToFile(source, path, { maxBytes: maxPictureBytes });
      await media.makeThumbnail(path, trial.path);
      return path;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      notes.push("thumbnail not readable, so one is made from the video");
      return null;
    }
  }

  async function createVideo(
    files: SourceFiles,
    item: SourceItem,
    videoId: string,
    options: ImportChoices & { actor: Actor; signal: AbortSignal; notes: string[] },
  ): Promise<void> {
    const { publishes, counts, links, actor, signal, notes } = options;
    await using scratch = await storage.createScratch();
    const path = `${scratch.path}/video`;
    await receive(files, item, path, { links, signal });
    const { sameFileAs = [] } = await ingest.ingest({
      id: videoId,
      path,
      isKept: true,
      thumbnailPath: await receiveThumbnail(files, item, scratch.path, notes),
      title: item.title,
      description: item.description,
      isPremium: false,
      labels: item.labels,
      past: {
        isPublished: publishes,
        visibility: item.visibility,
        isSensitive: item.isSensitive,
        publishedAt: item.publishedAt,
        // Without the file's exact duration, which the feature of chapters checks again.
        chapters: tidyChapters(item.chapters, item.durationS ?? Number.POSITIVE_INFINITY),
        views: counts ? item.views : 0,
        likes: counts ? item.likes : 0,
      },
      actor,
      signal,
    });
    const [same] = sameFileAs;
    if (same !== undefined) notes.push(`the same file as /video/${same.slug}`);
  }

  async function addCaption(
    files: SourceFiles,
    { path, language: given, name: ownName, ...flags }: SourceCaption,
    { videoId, actor, notes }: { videoId: string; actor: Actor; notes: string[] },
  ): Promise<void> {
    const language = cleanLanguage(given === "" ? null : given);
    try {
      const bytes = await readSmall(files, path, captionLimits.maxFileBytes);
      const { lines, encoding, missedRows } = readCaptions(bytes, language);
      if (isCameraData(lines)) {
        throw new AppError("invalid", "They contain camera data, such as GPS positions.");
      }
      if (encoding !== "utf-8") notes.push(`captions ${given || path} read as ${encoding}`);
      if (missedRows.length > 0) {
        notes.push(`captions ${given || path}: ${missedRows.length} lines without valid times`);
      }
      const plain = ownName ?? nameOfLanguage(language) ?? "Captions";
      const { isDefault = false, isForced = false } = flags;
      const kind = flags.isAutomatic ? "automatic" : flags.kind;
      const name = kind == null ? plain : `${plain} (${kind})`;
      const about = { language, name, isDefault, isForced };
      await captions.add(videoId, bytes, about, actor, { unlessPresent: true });
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "unavailable") throw error;
      notes.push(`captions ${given || path} left out: ${error.message}`);
    }
  }

  return {
    spaceFor,
    findObstacle,

    /**
     * Adds one video. May be repeated after a crash at any point: the video gets the same ID again,
     * and whatever is missing is added. @throws AppError if the video can't be imported.
     */
    async add(
      { files }: Pick<OpenSource, "files">,
      item: SourceItem,
      options: ImportChoices & { actor: Actor; signal: AbortSignal },
    ): Promise<AddedItem> {
      const { actor } = options;
      const { videoId, isComplete } = await repository.claimOrigin(db, item, newId());
      if (isComplete) return { outcome: "known", videoId, note: "" };
      const notes = [...item.notes];
      if ((await videos.find(videoId)) === null) {
        try {
          const obstacle = findObstacle(item, options, await storage.findFreeBytes());
          if (obstacle !== null) throw obstacle;
          await createVideo(files, item, videoId, { ...options, notes });
        } catch (error) {
          if (!isDatabaseUnreachable(error)) await repository.releaseOrigin(db, videoId);
          throw error;
        }
      }
      for (const caption of item.captions) {
        options.signal.throwIfAborted();
        await addCaption(files, caption, { videoId, actor, notes });
      }
      notes.push(...(await addresses.add(videoId, item.oldAddresses)));
      await repository.completeOrigin(db, videoId);
      return { outcome: "added", videoId, note: notes.join("; ") };
    },
  };
}
