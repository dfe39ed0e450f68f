import { videoTag, type PublishChanges } from "#server/db/change-tags.ts";
import type { Db, Trx } from "#server/db/connection.ts";
import type { StoredCaption } from "#server/db/stored-caption.ts";
import { AppError, isNotFound } from "#server/lib/app-error.ts";
import { recordAudit, type Actor } from "#server/features/audit/audit.service.ts";
import type { StoredFiles } from "#server/features/videos/files/stored-files.service.ts";
import type { CaptionFiles } from "./caption-files.ts";
import * as repository from "./captions.repository.ts";

/** Maximum number of attempts if the same video's captions change concurrently. */
const maxAttempts = 5;

export function createCaptionUpdates(deps: {
  db: Db;
  files: CaptionFiles;
  storedFiles: StoredFiles;
  changed: PublishChanges;
}) {
  const { db, files, storedFiles, changed } = deps;

  /** @throws AppError not_found. */
  async function getVideo(idOrSlug: string): Promise<repository.CaptionVideo> {
    const video = await repository.findVideo(db, idOrSlug);
    if (video === null) throw new AppError("not_found", "Video not found");
    return video;
  }

  type Next = (video: repository.CaptionVideo) => Promise<StoredCaption[]>;
  type Note = (trx: Trx, video: repository.CaptionVideo) => Promise<void>;

  async function writeAndSave(videoId: string, next: Next, note: Note): Promise<StoredCaption[]> {
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const video = await getVideo(videoId);
      const captions = await next(video);
      const { durationS } = video;
      let hlsKey: string | null = null;
      try {
        if (video.hlsKey !== null) {
          hlsKey = await files.writeMaster({ hlsKey: video.hlsKey, durationS }, captions);
        }
      } catch (error) {
        // The other change deleted this playlist just as it was written.
        if (isNotFound(error)) continue;
        throw error;
      }
      const isSaved = await db.transaction().execute(async (trx) => {
        if (!(await repository.saveCaptions(trx, video, { captions, hlsKey }))) return false;
        await note(trx, video);
        // Deletes while the row is locked. If a concurrent change has already written its playlist,
        // it writes it again. A later change writes it afterwards.
        if (video.hlsKey !== null && hlsKey !== null) {
          await files.deleteOldMasters([hlsKey, video.hlsKey]);
        }
        return true;
      });
      if (!isSaved) continue;
      await changed([videoTag(video.id)]);
      return captions;
    }
    throw new AppError("conflict", "Someone else is editing this video. Try again in a moment.");
  }

  /**
   * Changes a video's captions together with its master playlist. Writes the files first, and
   * starts over if the row has changed in the meantime. If the video is removed for good in the
   * meantime, deletes the files again.
   * @param note writes to the audit log.
   * @throws AppError conflict, not_found.
   */
  async function update(
    idOrSlug: string,
    next: Next,
    note: Note = () => Promise.resolve(),
  ): Promise<StoredCaption[]> {
    const { id: videoId, mediaToken, sourceKey } = await getVideo(idOrSlug);
    return storedFiles.withoutLeftovers({ videoId, mediaToken, sourceKey }, () =>
      writeAndSave(videoId, next, note),
    );
  }

  return { getVideo, update };
}

/** Returns a function that records a change to one caption in the audit log. */
export const audited =
  (actor: Actor, action: string, captionId: string, after: unknown) =>
  (trx: Trx, video: repository.CaptionVideo): Promise<void> => {
    const before = video.captions.find(({ id }) => id === captionId);
    return recordAudit(trx, actor, {
      action,
      entity: "video",
      entityId: video.id,
      before: { title: video.title, ...(before === undefined ? {} : describe(before)) },
      after,
    });
  };

const describe = ({ language, name, lineCount }: StoredCaption) => ({
  language,
  name,
  lines: lineCount,
});
