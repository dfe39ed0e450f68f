import type { LabelItem, LabelKind } from "#contract/lists/labels.ts";
import { labelTag, type PublishChanges } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import { retireFiles } from "#server/db/retired-files.ts";
import { settleCommit } from "#server/db/settle-commit.ts";
import type { Actor } from "#server/lib/actor.ts";
import type { Media } from "#server/media/media.ts";
import { createLabelPictureFolder } from "#server/storage/media-keys.ts";
import type { Storage } from "#server/storage/storage.ts";
import { deleteThumbnail, storeThumbnail } from "#server/storage/thumbnails.ts";
import { getLabelRow, presentLabel, recordLabelChange } from "./label-items.ts";
import * as repository from "./labels.repository.ts";

export function createLabelPictures(deps: {
  db: Db;
  storage: Storage;
  media: Media;
  changed: PublishChanges;
}) {
  const { db, storage, media, changed } = deps;

  /** Stores an image after encoding it again, so that nothing but its pixels is ever served. */
  async function storePicture(kind: LabelKind, id: string, path: string): Promise<string> {
    await using scratch = await storage.createScratch();
    const files = await media.makeThumbnail(path, scratch.path);
    // Awaited here, because the folder is deleted when this function ends.
    return await storeThumbnail(storage, createLabelPictureFolder(kind, id), files);
  }

  /** Deletes the picture of a deleted label. If that fails, the sweep deletes it. */
  async function deletePicture({ imageKey }: repository.LabelRow): Promise<void> {
    if (imageKey !== null) await deleteThumbnail(storage, imageKey).catch(() => undefined);
  }

  return {
    deletePicture,

    /**
     * Sets a label's image from an uploaded local file, or removes it.
     * @throws AppError not_found; unsupported_media if the file isn't an image.
     */
    async setPicture(
      kind: LabelKind,
      id: string,
      picturePath: string | null,
      actor: Actor,
    ): Promise<LabelItem> {
      const before = await getLabelRow(db, kind, id, true);
      const key = picturePath === null ? null : await storePicture(kind, before.id, picturePath);
      const change = () =>
        db.transaction().execute(async (trx) => {
          await repository.lockLabel(trx, kind, before.id);
          const old = await getLabelRow(trx, kind, before.id, true);
          await repository.updateLabel(trx, kind, old.id, { image_key: key });
          // Cached pages still show the replaced picture.
          if (key !== null) await retireFiles(trx, [old.imageKey]);
          const after = presentLabel(await getLabelRow(trx, kind, old.id, true));
          await recordLabelChange(trx, actor, kind, "updated", {
            before: presentLabel(old),
            after,
          });
          return after;
        });
      const isCommitted = async () =>
        (await repository.findLabel(db, kind, { id: before.id }, true))?.imageKey === key;
      const item = await settleCommit(change, {
        isCommitted,
        deleteFiles: async () => {
          if (key !== null) await deleteThumbnail(storage, key);
        },
      });
      await changed(["labels", labelTag(kind, before.id)]);
      if (key === null) await deletePicture(before);
      return item ?? presentLabel(await getLabelRow(db, kind, before.id, true));
    },
  };
}
