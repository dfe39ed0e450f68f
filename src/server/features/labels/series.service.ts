import type { LabelKind } from "#contract/lists/labels.ts";
import { seriesKey } from "#contract/lists/label-address.ts";
import type { SeriesMove, SeriesOrder, SeriesPlace } from "#contract/lists/series.ts";
import { labelTag, videoTag, type PublishChanges } from "#server/db/change-tags.ts";
import type { Db, DbOrTrx, Trx } from "#server/db/connection.ts";
import { noteShown } from "#server/http/cache/shown-tags.ts";
import { AppError } from "#server/lib/app-error.ts";
import { mediaUrl } from "#server/storage/media-keys.ts";
import { recordAudit, type Actor } from "#server/features/audit/audit.service.ts";
import { labelWords } from "./label-kinds.ts";
import { lockLabel, updateLabel } from "./labels.repository.ts";
import * as repository from "./series.repository.ts";

export type { SeriesRef } from "./series.repository.ts";

interface Series {
  id: string;
  name: string;
  isSeries: boolean;
}

/**
 * Series: labels whose videos have an order by hand. The order is a key in the row that joins the
 * video and the label, so that it follows the label through renames, the trash and backups.
 */
export function createSeriesService(deps: {
  db: Db;
  changed: PublishChanges;
  /** Returns a label by id or slug. @throws AppError not_found. */
  findLabel: (from: DbOrTrx, kind: LabelKind, idOrSlug: string) => Promise<Series>;
}) {
  const { db, changed, findLabel } = deps;

  /** Runs a change while no other one can change the order. Returns the series. */
  async function change(
    kind: LabelKind,
    idOrSlug: string,
    run: (trx: Trx, series: Series) => Promise<void>,
  ): Promise<void> {
    const id = await db.transaction().execute(async (trx) => {
      const { id: labelId } = await findLabel(trx, kind, idOrSlug);
      await lockLabel(trx, kind, labelId);
      const series = await findLabel(trx, kind, labelId);
      if (!series.isSeries) {
        throw new AppError("conflict", `${labelWords[kind].word} “${series.name}” isn't a series.`);
      }
      await run(trx, series);
      return labelId;
    });
    await changed([labelTag(kind, id)]);
  }

  return {
    /** Returns a page of the order. @throws AppError not_found. */
    async getOrder(
      kind: LabelKind,
      idOrSlug: string,
      page: { limit: number; offset: number },
    ): Promise<SeriesOrder> {
      const { id } = await findLabel(db, kind, idOrSlug);
      const { rows, total } = await repository.listOrder(db, kind, id, page);
      return {
        total,
        videos: rows.map((row) => ({
          id: row.id,
          slug: row.slug,
          title: row.title,
          thumbnail: mediaUrl(row.thumbnailKey),
          duration: row.durationS,
          isListed: row.isListed,
        })),
      };
    },

    /**
     * Moves one video. Moves of several editors add up, in the order in which they arrive.
     * @throws AppError not_found, conflict; edit_conflict if a video has left the series.
     */
    async move(kind: LabelKind, idOrSlug: string, move: SeriesMove, actor: Actor): Promise<void> {
      const { entity } = labelWords[kind];
      await change(kind, idOrSlug, async (trx, { id }) => {
        const partOf = () => repository.findPartForAdmin(trx, kind, id, move.videoId);
        const from = await partOf();
        const isDone = from !== null && (await repository.moveVideo(trx, kind, id, move));
        if (!isDone) {
          throw new AppError(
            "edit_conflict",
            "Someone else removed this video or its neighbor from the series in the meantime. Load the current order and move it again.",
          );
        }
        await recordAudit(trx, actor, {
          action: `${entity}.reordered`,
          entity,
          entityId: id,
          before: { videoId: move.videoId, part: from },
          after: { videoId: move.videoId, part: await partOf() },
        });
      });
    },

    /**
     * Sets the order. Videos of the series that aren't listed here follow in their current order.
     * @throws AppError not_found, conflict; invalid for a video that isn't in the series.
     */
    async sort(kind: LabelKind, idOrSlug: string, ids: string[], actor: Actor): Promise<void> {
      const { entity } = labelWords[kind];
      await change(kind, idOrSlug, async (trx, { id }) => {
        const members = await repository.listMembers(trx, kind, id, ids);
        const stranger = ids.find((videoId) => !members.has(videoId));
        if (stranger !== undefined) {
          throw new AppError("invalid", `Video ${stranger} isn't in this series.`);
        }
        const unique = [...new Set(ids)];
        await repository.sortVideos(trx, kind, id, unique);
        await recordAudit(trx, actor, {
          action: `${entity}.reordered`,
          entity,
          entityId: id,
          after: { videos: unique.length },
        });
      });
    },

    /**
     * Turns the label into a series if it isn't one, and appends videos in this order. Videos that
     * are in it already keep their place. Call `changed` with the tag of the label, and `everything`
     * if it wasn't a series, after the commit.
     */
    async append(
      trx: Trx,
      kind: LabelKind,
      labelId: string,
      videoIds: readonly string[],
    ): Promise<void> {
      await lockLabel(trx, kind, labelId);
      const { isSeries } = await findLabel(trx, kind, labelId);
      if (!isSeries) {
        await updateLabel(trx, kind, labelId, { is_series: true });
        await repository.fillKeys(trx, kind, labelId);
      }
      await repository.addVideos(trx, kind, labelId, videoIds);
    },

    /** Returns the slugs of all videos of a series, in order. */
    listSlugs: (kind: LabelKind, labelId: string) => repository.listSlugsInOrder(db, kind, labelId),
    /** Returns the ids of these slugs. Slugs that no video has are missing. */
    findIdsOfSlugs: (slugs: readonly string[]) => repository.findIdsOfSlugs(db, slugs),
  };
}

/** Returns the ids of the videos that visitors see in a series, in order. Null without a series. */
export async function listParts(
  from: DbOrTrx,
  { kind, id }: { kind: LabelKind; id: string },
  page: { limit: number; offset: number },
): Promise<{ ids: string[]; key: string } | null> {
  const found = await repository.listListedParts(from, kind, id, page);
  return found && { ids: found.ids, key: seriesKey({ kind, slug: found.slug }) };
}

/** Returns the places of a video in these series, as visitors see them. */
export async function listPlaces(
  from: DbOrTrx,
  videoId: string,
  refs: readonly repository.SeriesRef[],
): Promise<SeriesPlace[]> {
  const places: SeriesPlace[] = [];
  for (const ref of refs) {
    const place = await repository.findPlace(from, ref, videoId);
    noteShown(labelTag(ref.kind, ref.id));
    if (place === null) continue;
    const { kind, slug, name } = ref;
    const { part, total, previousId, nextId } = place;
    const ids = [previousId, nextId].filter((id) => id !== null);
    noteShown(...ids.map(videoTag));
    const rows = await repository.listVideosById(from, ids);
    const partOf = (id: string | null) => presentPart(rows.find((row) => row.id === id));
    places.push({
      kind,
      slug,
      name,
      part,
      total,
      previous: partOf(previousId),
      next: partOf(nextId),
    });
  }
  return places;
}

function presentPart(row: repository.SeriesVideoRow | undefined): SeriesPlace["next"] {
  if (row === undefined || !row.isListed) return null;
  const { slug, title, thumbnailKey } = row;
  const titles = Object.entries(row.translations).flatMap(([code, text]) =>
    text.title === undefined ? [] : [[code, { title: text.title }] as const],
  );
  return {
    slug,
    title,
    thumbnail: mediaUrl(thumbnailKey),
    ...(titles.length === 0 ? {} : { translations: Object.fromEntries(titles) }),
  };
}
