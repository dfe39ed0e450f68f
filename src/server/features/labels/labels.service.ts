import type { LabelInput, LabelItem, LabelKind, LabelPatch } from "#contract/lists/labels.ts";
import { labelTag, type PublishChanges } from "#server/db/change-tags.ts";
import type { Db, DbOrTrx, Trx } from "#server/db/connection.ts";
import { retireFiles } from "#server/db/retired-files.ts";
import { settleCommit } from "#server/db/settle-commit.ts";
import { noteShown } from "#server/http/cache/shown-tags.ts";
import type { Actor } from "#server/lib/actor.ts";
import { AppError } from "#server/lib/app-error.ts";
import { isUuid, newId } from "#server/lib/ids.ts";
import { slugify } from "#server/lib/slug.ts";
import type { Media } from "#server/media/media.ts";
import { createLabelPictureFolder, mediaUrl } from "#server/storage/media-keys.ts";
import type { Storage } from "#server/storage/storage.ts";
import { deleteThumbnail, storeThumbnail } from "#server/storage/thumbnails.ts";
import { recordAudit } from "#server/features/audit/audit.service.ts";
import type { LabelIds } from "./label-ids.ts";
import { labelWords } from "./label-words.ts";
import * as repository from "./labels.repository.ts";

export interface LabelsService {
  /** Returns all labels for admins, those of listed videos for visitors. */
  list(kind: LabelKind, isAdmin: boolean): Promise<LabelItem[]>;
  /**
   * Finds a label by id, slug or name, and follows redirects of merged labels. Labels without a
   * listed video are visible only to admins. @throws AppError not_found.
   */
  get(kind: LabelKind, idOrSlug: string, isAdmin: boolean): Promise<LabelItem>;
  /** @throws AppError conflict if the name or slug exists. */
  create(kind: LabelKind, input: LabelInput, actor: Actor): Promise<LabelItem>;
  /** @throws AppError not_found, conflict. */
  update(kind: LabelKind, id: string, patch: LabelPatch, actor: Actor): Promise<LabelItem>;
  /** Deletes the label. Its videos stay. @throws AppError not_found. */
  remove(kind: LabelKind, id: string, actor: Actor): Promise<void>;
  /**
   * Moves all videos of one label to another of its kind and deletes the first, whose address
   * redirects. @throws AppError not_found; invalid if both are the same.
   */
  merge(kind: LabelKind, id: string, intoId: string, actor: Actor): Promise<LabelItem>;
  /**
   * Sets a label's image from an uploaded local file, or removes it.
   * @throws AppError not_found; unsupported_media if the file isn't an image.
   */
  setPicture(
    kind: LabelKind,
    id: string,
    picturePath: string | null,
    actor: Actor,
  ): Promise<LabelItem>;
  /** Returns the id for a slug or name, or null. */
  findId(kind: LabelKind, slugOrName: string): Promise<string | null>;
  /** Replaces a video's labels, and creates the names that don't exist yet. */
  replaceLabels(trx: Trx, kind: LabelKind, videoId: string, names: string[]): Promise<void>;
}

const present = (row: repository.LabelRow): LabelItem => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  description: row.description,
  imageUrl: mediaUrl(row.imageKey),
  coverUrl: mediaUrl(row.coverKey),
  videoCount: row.videoCount,
  createdAt: row.createdAt.toISOString(),
});

/** Names without ASCII letters have no slug, so theirs is made from the id. */
const slugOf = (name: string, id: string) => slugify(name) || `n-${id.slice(-12)}`;

async function recordChange(
  trx: Trx,
  actor: Actor,
  kind: LabelKind,
  verb: "created" | "updated" | "deleted" | "merged",
  items: { before?: LabelItem; after?: LabelItem },
): Promise<void> {
  const { entity } = labelWords[kind];
  const entityId = (items.after ?? items.before)?.id ?? null;
  await recordAudit(trx, actor, { action: `${entity}.${verb}`, entity, entityId, ...items });
}

export function createLabelsService(deps: {
  db: Db;
  storage: Storage;
  media: Pick<Media, "makeThumbnail">;
  labelIds: Pick<LabelIds, "find">;
  changed: PublishChanges;
}): LabelsService {
  const { db, storage, media, labelIds, changed } = deps;

  /** Stores a re-encoded image: only its pixels are ever served. */
  async function storePicture(kind: LabelKind, id: string, path: string): Promise<string> {
    await using scratch = await storage.createScratch();
    const files = await media.makeThumbnail(path, scratch.path);
    // Awaited here, because the folder is deleted when this function ends.
    return await storeThumbnail(storage, createLabelPictureFolder(kind, id), files);
  }

  /** Deletes the picture of a deleted label. If this fails, the sweep deletes it. */
  async function deletePicture({ imageKey }: repository.LabelRow): Promise<void> {
    if (imageKey !== null) await deleteThumbnail(storage, imageKey).catch(() => undefined);
  }

  async function find(
    from: DbOrTrx,
    kind: LabelKind,
    idOrSlug: string,
    isAdmin: boolean,
  ): Promise<repository.LabelRow> {
    const isVisible = (row: repository.LabelRow) => isAdmin || row.videoCount > 0;
    const key = isUuid(idOrSlug) ? { id: idOrSlug } : { slugOrName: idOrSlug };
    const row = await repository.findLabel(from, kind, key, isAdmin);
    if (row !== null) noteShown(labelTag(kind, row.id));
    if (row !== null && isVisible(row)) return row;
    const target = await repository.findRedirect(from, kind, idOrSlug.toLowerCase());
    const moved =
      target === null ? null : await repository.findLabel(from, kind, { id: target }, isAdmin);
    if (moved === null || !isVisible(moved)) {
      throw new AppError("not_found", `${labelWords[kind].word} not found`);
    }
    noteShown(labelTag(kind, moved.id));
    return moved;
  }

  const taken = (kind: LabelKind, name: string) =>
    new AppError("conflict", `${labelWords[kind].word} "${name}" already exists.`);

  return {
    async list(kind, isAdmin) {
      // Labels count their videos.
      noteShown("labels", "videos");
      return (await repository.listLabel(db, kind, isAdmin)).map(present);
    },

    async get(kind, idOrSlug, isAdmin) {
      return present(await find(db, kind, idOrSlug, isAdmin));
    },

    async create(kind, input, actor) {
      const item = await db.transaction().execute(async (trx) => {
        const id = newId();
        const isNew = await repository.insertLabel(trx, kind, {
          id,
          name: input.name,
          slug: slugOf(input.name, id),
          description: input.description ?? null,
        });
        if (!isNew) throw taken(kind, input.name);
        const created = present(await find(trx, kind, id, true));
        await recordChange(trx, actor, kind, "created", { after: created });
        return created;
      });
      await changed(["labels"]);
      return item;
    },

    async update(kind, id, patch, actor) {
      const { after: item, isRenamed } = await db.transaction().execute(async (trx) => {
        const before = await find(trx, kind, id, true);
        const name = patch.name ?? before.name;
        const slug = name === before.name ? before.slug : slugOf(name, before.id);
        if (await repository.isTaken(trx, kind, { name, slug, exceptId: before.id })) {
          throw taken(kind, name);
        }
        await repository.updateLabel(trx, kind, before.id, {
          name,
          slug,
          ...(patch.description === undefined ? {} : { description: patch.description }),
        });
        // Links to the old address keep working.
        if (slug !== before.slug) await repository.saveRedirect(trx, kind, before.slug, before.id);
        const after = present(await find(trx, kind, before.id, true));
        await recordChange(trx, actor, kind, "updated", { before: present(before), after });
        return { after, isRenamed: name !== before.name };
      });
      // All videos with the label show its name.
      await changed(isRenamed ? "everything" : ["labels", labelTag(kind, item.id)]);
      return item;
    },

    async remove(kind, id, actor) {
      const removed = await db.transaction().execute(async (trx) => {
        const before = await find(trx, kind, id, true);
        await repository.deleteLabel(trx, kind, before.id);
        await recordChange(trx, actor, kind, "deleted", { before: present(before) });
        return before;
      });
      await changed("everything");
      await deletePicture(removed);
    },

    async merge(kind, id, intoId, actor) {
      const { item, removed } = await db.transaction().execute(async (trx) => {
        const from = await find(trx, kind, id, true);
        const into = await find(trx, kind, intoId, true);
        if (from.id === into.id)
          throw new AppError("invalid", "Choose two different entries to merge.");
        await repository.moveLabels(trx, kind, from.id, into.id);
        await repository.retargetRedirects(trx, kind, from.id, into.id);
        await repository.deleteLabel(trx, kind, from.id);
        await repository.saveRedirect(trx, kind, from.slug, into.id);
        const merged = present(await find(trx, kind, into.id, true));
        await recordChange(trx, actor, kind, "merged", { before: present(from), after: merged });
        return { item: merged, removed: from };
      });
      await changed("everything");
      await deletePicture(removed);
      return item;
    },

    async setPicture(kind, id, picturePath, actor) {
      const before = await find(db, kind, id, true);
      const key = picturePath === null ? null : await storePicture(kind, before.id, picturePath);
      const change = () =>
        db.transaction().execute(async (trx) => {
          await repository.lockLabel(trx, kind, before.id);
          const old = await find(trx, kind, before.id, true);
          await repository.updateLabel(trx, kind, old.id, { image_key: key });
          // Cached pages still show the replaced picture.
          if (key !== null) await retireFiles(trx, [old.imageKey]);
          const after = present(await find(trx, kind, old.id, true));
          await recordChange(trx, actor, kind, "updated", { before: present(old), after });
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
      return item ?? present(await find(db, kind, before.id, true));
    },

    findId: (kind, slugOrName) => labelIds.find(kind, slugOrName),

    async replaceLabels(trx, kind, videoId, names) {
      await repository.replaceLabels(trx, kind, videoId, await resolveNames(trx, kind, names));
    },
  };
}

/** Returns the ids of these names in order. Creates those that don't exist yet. */
async function resolveNames(trx: Trx, kind: LabelKind, names: string[]): Promise<string[]> {
  const wanted = new Map(names.map((name) => [name.toLowerCase(), name]));
  const found = new Map<string, string>();
  // Inserts in a fixed order, so that two uploads with the same new names can't deadlock.
  for (const [key, name] of [...wanted].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const id = newId();
    const slug = slugOf(name, id);
    const known = await repository.findLabelId(trx, kind, name);
    if (known === null) {
      await repository.insertLabel(trx, kind, { id, name, slug, description: null });
    }
    // Another upload may have created it first, or a name may exist that differs only in accents.
    const labelId =
      known ??
      (await repository.findLabelId(trx, kind, name)) ??
      (await repository.findLabelId(trx, kind, slug));
    if (labelId !== null) found.set(key, labelId);
  }
  const ids = [...wanted.keys()].flatMap((key) => found.get(key) ?? []);
  return [...new Set(ids)];
}
