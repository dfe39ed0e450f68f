import type { CutBody, CutResult, CutState } from "#contract/videos/cut.ts";
import { composeCuts, findCutProblem, sumOf, type KeptPart } from "#contract/videos/kept-parts.ts";
import type { LabelKind } from "#contract/lists/labels.ts";
import { limits } from "#contract/limits.ts";
import { videoTag, type PublishChanges } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import { settleCommit } from "#server/db/settle-commit.ts";
import type { StoredCaption } from "#server/db/stored-caption.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import { AppError, checkVersion } from "#server/lib/app-error.ts";
import { newId, newToken } from "#server/lib/ids.ts";
import { recordAudit, type Actor } from "#server/features/audit/audit.service.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import type { Media } from "#server/media/media.ts";
import { sourceKey, standInKey, videoFolder } from "#server/storage/media-keys.ts";
import type { Storage } from "#server/storage/storage.ts";
import { withBestRendition } from "../files/best-rendition.ts";
import { filesOf, sourceKeyOf } from "../files/video-files.ts";
import { undoEnd } from "../files/originals.service.ts";
import type { NewVideosService } from "../new-videos.service.ts";
import { hydrateVideos } from "../query/video-list.repository.ts";
import { checkUnchanged } from "../replacements/replacements.service.ts";
import * as replacements from "../replacements/replacements.repository.ts";
import { reprocessVideo } from "../replacements/reprocessing.service.ts";
import {
  findVideoRow,
  getVideoRow,
  lockExistingVideo,
  updateVideo,
  type VideoRow,
} from "../videos.repository.ts";
import { listTimedComments } from "../replacements/cuts.repository.ts";
import { followCut } from "../replacements/follow-cut.ts";

/** Functions for captions that cuts need. */
interface CaptionCuts {
  /** Counts the lines that the cut removes. */
  countCutLines(videoId: string, newParts: readonly KeptPart[]): Promise<number>;
  copyCut(videoId: string, newParts: readonly KeptPart[], token: string): Promise<StoredCaption[]>;
}

const nothingToCut =
  "Neither the original nor a rendition of this video exists, so the video can't be cut. Replace its file first.";

interface CutsDeps {
  db: Db;
  queue: JobQueue;
  storage: Storage;
  settings: SettingsService;
  media: Media;
  newVideos: NewVideosService;
  changed: PublishChanges;
}

/**
 * Cuts videos. A cut is a list of parts of the source to keep. All files are made again from these
 * parts, while the current ones play. Texts and times follow when the files change.
 */
export function createCutsService(deps: CutsDeps) {
  const { db, queue, storage, settings, changed } = deps;

  /** Returns a video that can be cut, with its best rendition as the source if that is deleted. */
  async function withSource(row: VideoRow): Promise<VideoRow> {
    if (await hasSource(storage, row)) return row;
    const standIn = await storeBestRendition(deps, row, standInKey(row.id));
    if (standIn === null) throw new AppError("conflict", nothingToCut);
    await db.transaction().execute(async (trx) => {
      const locked = await lockExistingVideo(trx, row.id);
      checkVersion(row.version, locked.version, "this video");
      await checkUnchanged(trx, locked);
      await updateVideo(trx, row.id, {
        source_key: standIn.key,
        source_bytes: standIn.sizeBytes,
        dropped_bytes: locked.dropped_bytes ?? locked.source_bytes ?? standIn.sizeBytes,
        // The rendition contains only what an earlier cut has kept.
        kept_parts: null,
        cut_at: null,
        before_cut: null,
        drops_original: true,
      });
      // In case the cut fails or is cancelled. Otherwise it stays as long as the cut can be undone.
      const options = { key: `${row.id}/stand-in`, startAfterS: standInS };
      await queue.enqueue(trx, "video.drop-original", { videoId: row.id }, options);
    });
    return getVideoRow(db, row.id);
  }

  /** Returns what to keep of the source. @throws AppError invalid. */
  function composeParts(row: VideoRow, parts: readonly KeptPart[]): KeptPart[] {
    const composed = composeCuts(row.kept_parts, parts);
    const problem =
      findCutProblem(parts, row.duration_s) ??
      (composed.length === 0 ? "Keep at least one part." : null);
    if (problem !== null) {
      throw new AppError("invalid", problem, { issues: [{ path: "parts", message: problem }] });
    }
    return composed;
  }

  /** Queues the files of other parts of the source. */
  async function begin(
    videoId: string,
    {
      version,
      choose,
      action,
      actor,
    }: {
      version: number | undefined;
      choose: (row: VideoRow) => KeptPart[] | null;
      action: "video.cut" | "video.cut-undone";
      actor: Actor;
    },
  ): Promise<void> {
    const id = newId();
    const change = () =>
      db.transaction().execute(async (trx) => {
        const row = await lockExistingVideo(trx, videoId);
        checkVersion(version, row.version, "this video");
        await checkUnchanged(trx, row);
        const keptParts = choose(row);
        await reprocessVideo(trx, queue, row, actor, { id, isComplete: true, cut: { keptParts } });
        await recordAudit(trx, actor, {
          action,
          entity: "video",
          entityId: row.id,
          before: { title: row.title, durationS: row.duration_s, keptParts: row.kept_parts },
          after: { keptParts },
        });
      });
    await settleCommit(change, {
      isCommitted: async () => (await replacements.findReplacedVideo(db, id)) !== null,
    });
    await changed([videoTag(videoId)]);
  }

  async function findEffect(
    row: VideoRow,
    parts: readonly KeptPart[],
    target: CutBody["target"],
    captions: CaptionCuts,
  ): Promise<CutResult["effect"]> {
    const composed = composeParts(row, parts);
    const { dropped } = followCut(row, await listTimedComments(db, row.id), composed);
    return {
      durationS: sumOf(composed),
      captionLines: await captions.countCutLines(row.id, composed),
      ...dropped,
      // A draft has no comments.
      ...(target === "draft" ? { comments: 0 } : {}),
    };
  }

  return {
    /** @throws AppError not_found. */
    async getState(idOrSlug: string): Promise<CutState> {
      const row = await getVideoRow(db, idOrSlug);
      const isThere = await hasSource(storage, row);
      const problem = await db.transaction().execute((trx) =>
        checkUnchanged(trx, row).then(
          () => null,
          (error: unknown) => {
            if (error instanceof AppError) return error.message;
            throw error;
          },
        ),
      );
      const { trashDays } = await settings.readFresh();
      const isFromRendition = row.dropped_bytes !== null || !isThere;
      const isLimited = isFromRendition || !(await settings.current()).keepOriginals;
      return {
        version: row.version,
        problem:
          problem ??
          (row.status === "ready" ? null : "This video isn't ready yet.") ??
          (isThere || row.progressive_key !== null ? null : nothingToCut),
        partCount: row.kept_parts?.length ?? null,
        canUndo: row.kept_parts !== null && isThere,
        undoUntil:
          isLimited && row.cut_at !== null ? undoEnd(row.cut_at, trashDays).toISOString() : null,
        undoDays: isLimited ? trashDays : null,
        isFromRendition,
      };
    },

    /**
     * Cuts a video, saves its parts as a draft, or only returns what that would remove.
     * @throws AppError not_found, invalid, edit_conflict; conflict while the video is being
     * processed or if its original is gone.
     */
    async cut(
      idOrSlug: string,
      { parts, target, dryRun = false, version }: CutBody,
      { captions, actor }: { captions: CaptionCuts; actor: Actor },
    ): Promise<CutResult> {
      const given = await getVideoRow(db, idOrSlug);
      checkVersion(version, given.version, "this video");
      if (dryRun)
        return { effect: await findEffect(given, parts, target, captions), videoId: null };
      composeParts(given, parts);
      // The rendition of a cut video has other times than its lost original.
      const isAlone = target === "draft" && given.kept_parts === null;
      const row = isAlone ? given : await withSource(given);
      const composed = composeParts(row, parts);
      const effect = await findEffect(row, parts, target, captions);
      if (target === "draft") {
        // The draft gets copies of the captions. Processing may not have added the file's captions yet.
        await db.transaction().execute((trx) => checkUnchanged(trx, row));
        return { effect, videoId: await saveDraft(deps, row, composed, { captions, actor }) };
      }
      const choose = (locked: VideoRow) => composeParts(locked, parts);
      await begin(row.id, { version, choose, action: "video.cut", actor });
      return { effect, videoId: row.id };
    },

    /** Makes the files of the whole source again. @throws AppError like `cut`. */
    async undo(idOrSlug: string, version: number | undefined, actor: Actor): Promise<string> {
      const row = await getVideoRow(db, idOrSlug);
      if (row.kept_parts === null) throw new AppError("conflict", "This video isn't cut.");
      if (!(await hasSource(storage, row))) {
        throw new AppError("conflict", "The original is deleted, so the cut can't be undone.");
      }
      await begin(row.id, { version, choose: () => null, action: "video.cut-undone", actor });
      return row.id;
    },
  };
}

export type CutsService = ReturnType<typeof createCutsService>;

/** Returns whether the source of a video, or what took its place, is stored. */
const hasSource = async (storage: Storage, row: VideoRow): Promise<boolean> =>
  (row.dropped_bytes === null || row.source_bytes !== null) &&
  (await storage.findStat(sourceKeyOf(row))) !== null;

/** Time after which a rendition in place of an original is deleted if the video isn't cut. */
const standInS = 24 * 3600;

/**
 * Stores the best rendition of a video, because its original is deleted.
 * @returns null if there is none.
 */
const storeBestRendition = (
  deps: Pick<CutsDeps, "storage" | "media">,
  row: VideoRow,
  key: string,
): Promise<{ key: string; sizeBytes: number } | null> =>
  withBestRendition(deps, filesOf(row), async (path, { isCopy }) => {
    const { sizeBytes } = await deps.storage.putFile(key, path, { consume: isCopy });
    return { key, sizeBytes };
  });

/** Makes a draft of parts of a video, with its own source, so that either can be deleted. */
async function saveDraft(
  { db, storage, media, newVideos, changed }: CutsDeps,
  row: VideoRow,
  parts: KeptPart[],
  { captions, actor }: { captions: CaptionCuts; actor: Actor },
): Promise<string> {
  const [video] = await hydrateVideos(db, [row.id]);
  if (video === undefined) throw new AppError("not_found", "Video not found");
  const id = newId();
  const mediaToken = newToken();
  const deleteFiles = async () => {
    await storage.delete(sourceKey(id)).catch(() => undefined);
    await storage.deletePrefix(videoFolder(mediaToken)).catch(() => undefined);
  };
  // The parts count in times of the source, even if a rendition took its place.
  const isSourceStored = await hasSource(storage, row);
  const copySource = async () => {
    if (!isSourceStored) {
      const best = await storeBestRendition({ storage, media }, row, sourceKey(id));
      if (best === null) throw new AppError("conflict", nothingToCut);
      return best;
    }
    return storage.withLocalFile(sourceKeyOf(row), (path) =>
      storage.putFile(sourceKey(id), path, { share: true }),
    );
  };
  const store = async () => ({
    source: await copySource(),
    tracks: await captions.copyCut(row.id, parts, mediaToken),
  });
  const { source, tracks } = await store().catch(async (error: unknown) => {
    await deleteFiles();
    throw error;
  });
  const followed = followCut(row, [], parts);
  const namesOf = (kind: LabelKind) => video.labels[kind].map(({ name }) => name);
  const create = () =>
    newVideos.create({
      id,
      mediaToken,
      title: `${row.title.slice(0, limits.titleMax - 6)} (cut)`.toWellFormed(),
      description: followed.values.description,
      isPremium: row.is_premium,
      labels: {
        categories: namesOf("categories"),
        tags: namesOf("tags"),
        actors: namesOf("actors"),
      },
      durationS: sumOf(parts),
      width: row.width ?? 0,
      height: row.height ?? 0,
      mediaNotices: row.media_notices.filter((notice) => !notice.startsWith("Couldn't make ")),
      // The hash of a deleted original isn't that of the rendition.
      source: {
        ...source,
        sha256: isSourceStored && row.dropped_bytes === null ? row.source_sha256 : null,
      },
      thumbnailKey: null,
      actor,
      cut: {
        from: { id: row.id, title: row.title },
        values: {
          kept_parts: JSON.stringify(parts),
          captions: JSON.stringify(tracks),
          chapters: followed.values.chapters,
          translations: followed.values.translations,
          midroll_times: followed.values.midroll_times,
          // A part must be as restricted as the whole. This includes the limits that a clip gets from
          // its long video, because the draft isn't a clip.
          visibility: row.shown_visibility,
          is_sensitive: row.is_age_limited,
          embedding: row.embedding,
          blocked_countries: [...new Set(row.closed_countries)],
        },
      },
    });
  await settleCommit(create, {
    isCommitted: async () => (await findVideoRow(db, id)) !== null,
    deleteFiles,
  });
  await changed([videoTag(id)]);
  return id;
}
