import type { LabelInput, LabelItem, LabelKind, LabelPatch } from "#contract/lists/labels.ts";
import { labelTag, type PublishChanges } from "#server/db/change-tags.ts";
import type { Db, Trx, DbOrTrx } from "#server/db/connection.ts";
import { findRedirect, saveRedirect } from "#server/db/slug-redirects.ts";
import { noteShown } from "#server/http/cache/shown-tags.ts";
import { AppError } from "#server/lib/app-error.ts";
import { foldName, isSlugOf, slugify } from "#server/lib/names.ts";
import type { Media } from "#server/media/media.ts";
import type { Storage } from "#server/storage/storage.ts";
import { retireFiles } from "#server/db/retired-files.ts";
import { settleCommit } from "#server/db/settle-commit.ts";
import { createLabelPictureFolder, mediaUrl } from "#server/storage/media-keys.ts";
import { deleteThumbnail, storeThumbnail } from "#server/storage/thumbnails.ts";
import { isUuid } from "#server/lib/ids.ts";
import { recordAudit, type Actor } from "#server/features/audit/audit.service.ts";
import { labelWords } from "./label-kinds.ts";
import * as repository from "./labels.repository.ts";
import { clearKeys, fillKeys, readRunningTime } from "./series.repository.ts";
import { createSeriesService } from "./series.service.ts";

const presentLabel = (row: repository.LabelRow): LabelItem => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  description: row.description,
  imageUrl: mediaUrl(row.imageKey),
  coverUrl: mediaUrl(row.coverKey),
  isPodcast: row.isPodcast,
  videoCount: row.videoCount,
  isSeries: row.isSeries,
  createdAt: row.createdAt.toISOString(),
});

/**
 * Finds a label by id, slug or name, and follows redirects of merged labels. Only admins can see
 * labels without a listed video.
 * @throws AppError not_found.
 */
async function getVisibleLabelRow(
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
  const target = await findRedirect(from, kind, idOrSlug.toLowerCase());
  const moved =
    target === null ? null : await repository.findLabel(from, kind, { id: target }, isAdmin);
  if (moved === null || !isVisible(moved)) {
    throw new AppError("not_found", `${labelWords[kind].word} not found`);
  }
  noteShown(labelTag(kind, moved.id));
  return moved;
}

/** Finds a label, even one without a listed video. @throws AppError not_found. */
const getLabelRow = (from: DbOrTrx, kind: LabelKind, idOrSlug: string) =>
  getVisibleLabelRow(from, kind, idOrSlug, true);

/** Adds an entry to the audit log. */
async function recordLabelChange(
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

function createLabelPictures(deps: {
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
      const before = await getLabelRow(db, kind, id);
      const key = picturePath === null ? null : await storePicture(kind, before.id, picturePath);
      const change = () =>
        db.transaction().execute(async (trx) => {
          await repository.lockLabel(trx, kind, before.id);
          const old = await getLabelRow(trx, kind, before.id);
          await repository.updateLabel(trx, kind, old.id, { image_key: key });
          // Cached pages still show the replaced picture.
          if (key !== null) await retireFiles(trx, [old.imageKey]);
          const after = presentLabel(await getLabelRow(trx, kind, old.id));
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
      return item ?? presentLabel(await getLabelRow(db, kind, before.id));
    },
  };
}

export function createLabelsService(deps: {
  db: Db;
  storage: Storage;
  media: Media;
  changed: PublishChanges;
}) {
  const { db, changed } = deps;
  const { setPicture, deletePicture } = createLabelPictures(deps);
  const nameTakenError = (kind: LabelKind, name: string) =>
    new AppError("conflict", `${labelWords[kind].word} "${name}" already exists.`);
  const series = createSeriesService({ db, changed, findLabel: getLabelRow });

  return {
    series,

    /** Returns all labels for admins, and those of listed videos for visitors. */
    async list(kind: LabelKind, isAdmin: boolean): Promise<LabelItem[]> {
      // Labels count their videos.
      noteShown("labels", "videos");
      return (await repository.listLabel(db, kind, isAdmin)).map(presentLabel);
    },

    /**
     * Finds a label by id, slug or name, and follows redirects of merged labels. Only admins can
     * see labels without a listed video. @throws AppError not_found.
     */
    async get(kind: LabelKind, idOrSlug: string, isAdmin: boolean): Promise<LabelItem> {
      const row = await getVisibleLabelRow(db, kind, idOrSlug, isAdmin);
      const label = presentLabel(row);
      if (!row.isSeries) return label;
      return { ...label, runningTimeS: await readRunningTime(db, kind, row.id, isAdmin) };
    },

    /** @throws AppError conflict if the name exists. */
    async create(kind: LabelKind, input: LabelInput, actor: Actor): Promise<LabelItem> {
      const item = await db.transaction().execute(async (trx) => {
        const { id, isNew } = await repository.insertLabel(trx, kind, {
          name: input.name,
          description: input.description ?? null,
          isPodcast: input.isPodcast,
        });
        if (!isNew) throw nameTakenError(kind, input.name);
        if (input.isSeries === true) {
          await repository.updateLabel(trx, kind, id, { is_series: true });
        }
        const created = presentLabel(await getLabelRow(trx, kind, id));
        await recordLabelChange(trx, actor, kind, "created", { after: created });
        return created;
      });
      await changed(["labels"]);
      return item;
    },

    /** @throws AppError not_found, conflict. */
    async update(kind: LabelKind, id: string, patch: LabelPatch, actor: Actor): Promise<LabelItem> {
      const { after: item, isOnVideos } = await db.transaction().execute(async (trx) => {
        const { id: labelId, name: shownName } = await getLabelRow(trx, kind, id);
        if (patch.name !== undefined && patch.name !== shownName) {
          await repository.raiseVersions(trx, kind, labelId);
        }
        // Another change may be under way, so the label is read again under its lock.
        await repository.lockLabel(trx, kind, labelId);
        const before = await getLabelRow(trx, kind, labelId);
        const name = patch.name ?? before.name;
        const known = await repository.findIdByName(trx, kind, name);
        if (known !== null && known !== before.id) throw nameTakenError(kind, name);
        const slug =
          name === before.name || isSlugOf(before.slug, name)
            ? before.slug
            : await repository.findFreeSlug(trx, kind, { name, exceptId: before.id });
        await repository.updateLabel(trx, kind, before.id, {
          name,
          folded_name: foldName(name),
          slug,
          ...(patch.description === undefined ? {} : { description: patch.description }),
          ...(patch.isSeries === undefined ? {} : { is_series: patch.isSeries }),
          ...(patch.isPodcast === undefined ? {} : { is_podcast: patch.isPodcast }),
        });
        // Keys outlive the switch, so that a series that is turned off by mistake keeps its order.
        if (patch.isSeries === true) await fillKeys(trx, kind, before.id);
        if (slug !== before.slug) {
          // Links to the old address keep working.
          await saveRedirect(trx, kind, before.slug, before.id);
          await repository.retargetAds(trx, kind, before.slug, slug);
        }
        const after = presentLabel(await getLabelRow(trx, kind, before.id));
        await recordLabelChange(trx, actor, kind, "updated", {
          before: presentLabel(before),
          after,
        });
        const isOnVideos = name !== before.name || after.isSeries !== before.isSeries;
        return { after, isOnVideos };
      });
      // All videos with the label show its name, and their places in a series.
      await changed(isOnVideos ? "everything" : ["labels", labelTag(kind, item.id)]);
      return item;
    },

    /** Deletes the label. Its videos stay. @throws AppError not_found. */
    async remove(kind: LabelKind, id: string, actor: Actor): Promise<void> {
      const removed = await db.transaction().execute(async (trx) => {
        const before = await getLabelRow(trx, kind, id);
        await repository.raiseVersions(trx, kind, before.id);
        await repository.deleteLabel(trx, kind, before.id);
        await recordLabelChange(trx, actor, kind, "deleted", { before: presentLabel(before) });
        return before;
      });
      await changed("everything");
      await deletePicture(removed);
    },

    /**
     * Moves all videos of one label to another label of its kind and deletes the first one. Its
     * address redirects to the other. If one is a series, the other becomes one: its videos go to
     * the end. If one is a podcast, the other becomes one, so that its subscribers keep getting
     * episodes. @throws AppError not_found; invalid if both are the same.
     */
    async merge(kind: LabelKind, id: string, intoId: string, actor: Actor): Promise<LabelItem> {
      const { item, removed } = await db.transaction().execute(async (trx) => {
        const from = await getLabelRow(trx, kind, id);
        const into = await getLabelRow(trx, kind, intoId);
        if (from.id === into.id)
          throw new AppError("invalid", "Choose two different entries to merge.");
        const isNewSeries = from.isSeries && !into.isSeries;
        await repository.raiseVersions(trx, kind, from.id);
        await repository.moveTrashedLabels(trx, kind, from.id, into.id, isNewSeries);
        if (isNewSeries) {
          await repository.lockLabel(trx, kind, into.id);
          await clearKeys(trx, kind, into.id);
        }
        await repository.moveLabels(trx, kind, from.id, into.id, isNewSeries);
        if (isNewSeries) {
          await repository.updateLabel(trx, kind, into.id, { is_series: true });
          await fillKeys(trx, kind, into.id);
        }
        await repository.movePodcast(trx, kind, from.id, into.id);
        await repository.retargetRedirects(trx, kind, from.id, into.id);
        await repository.retargetPins(trx, from.id, into.id);
        await repository.retargetAds(trx, kind, from.slug, into.slug);
        await repository.deleteLabel(trx, kind, from.id);
        await saveRedirect(trx, kind, from.slug, into.id);
        const merged = presentLabel(await getLabelRow(trx, kind, into.id));
        await recordLabelChange(trx, actor, kind, "merged", {
          before: presentLabel(from),
          after: merged,
        });
        return { item: merged, removed: from };
      });
      await changed("everything");
      await deletePicture(removed);
      return item;
    },

    setPicture,
    /** Returns the id for a current or former slug or name, or null. For filters in addresses. */
    async findId(kind: LabelKind, slugOrName: string): Promise<string | null> {
      const id =
        (await repository.findLabelId(db, kind, slugOrName)) ??
        (await findRedirect(db, kind, slugOrName.toLowerCase()));
      // A rename such as "Sci Fi" to "Sci-Fi" keeps the slug. "C#" isn't a former name of "C".
      if (id !== null || /[#+]/.test(slugOrName)) return id;
      const slug = slugify(slugOrName);
      return (await repository.findLabelId(db, kind, slug)) ?? findRedirect(db, kind, slug);
    },
    /** Returns the id for a name, or null. */
    findIdByName: (kind: LabelKind, name: string): Promise<string | null> =>
      repository.findIdByName(db, kind, name),

    /** Replaces a video's labels. Creates those that don't exist yet. */
    async replaceLabels(
      trx: Trx,
      kind: LabelKind,
      videoId: string,
      names: string[],
    ): Promise<void> {
      await repository.replaceLabels(trx, kind, videoId, await resolveNames(trx, kind, names));
    },
  };
}

export type LabelsService = ReturnType<typeof createLabelsService>;

/** Returns the ids of these names in order. Creates those that don't exist yet. */
async function resolveNames(trx: Trx, kind: LabelKind, names: string[]): Promise<string[]> {
  const nameByKey = new Map(names.map((name) => [foldName(name), name]));
  const idByKey = new Map<string, string>();
  // Inserts in a fixed order, so that two uploads with the same new names can't deadlock.
  for (const [key, name] of [...nameByKey].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const { id } = await repository.insertLabel(trx, kind, { name, description: null });
    idByKey.set(key, id);
  }
  const ids = [...nameByKey.keys()].flatMap((key) => idByKey.get(key) ?? []);
  return [...new Set(ids)];
}
