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
import { sourceKey, videoFolder } from "#server/storage/media-keys.ts";
import type { Storage } from "#server/storage/storage.ts";
import { sourceKeyOf } from "../files/video-files.ts";
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
  type VideoRow,
} from "../videos.repository.ts";
import { listTimedComments } from "../replacements/cuts.repository.ts";
import { followCut } from "../replacements/follow-cut.ts";

/** Captions of videos, as far as cuts concern them. */
interface CaptionCuts {
  /** Counts the lines of which nothing remains. */
  countCutLines(videoId: string, newParts: readonly KeptPart[]): Promise<number>;
  copyCut(videoId: string, newParts: readonly KeptPart[], token: string): Promise<StoredCaption[]>;
}

const originalIsGone =
  "The original file of this video no longer exists, so the video can't be cut. Replace its file first.";

interface CutsDeps {
  db: Db;
  queue: JobQueue;
  storage: Storage;
  settings: SettingsService;
  newVideos: NewVideosService;
  changed: PublishChanges;
}

/**
 * Cuts videos. A cut is a list of parts of the source to keep. All files are made again from these
 * parts, while the current ones play. Texts and times follow when the files change.
 */
export function createCutsService(deps: CutsDeps) {
  const { db, queue, storage, settings, changed } = deps;

  const hasOriginal = async (row: VideoRow): Promise<boolean> =>
    row.dropped_bytes === null && (await storage.findStat(sourceKeyOf(row))) !== null;

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

  return {
    /** @throws AppError not_found. */
    async getState(idOrSlug: string): Promise<CutState> {
      const row = await getVideoRow(db, idOrSlug);
      const isThere = await hasOriginal(row);
      const problem = await db.transaction().execute((trx) =>
        checkUnchanged(trx, row).then(
          () => null,
          (error: unknown) => {
            if (error instanceof AppError) return error.message;
            throw error;
          },
        ),
      );
      const { trashDays } = await settings.get();
      const isLimited = !(await settings.keepsOriginals());
      return {
        version: row.version,
        problem:
          problem ??
          (row.status === "ready" ? null : "This video isn't ready yet.") ??
          (isThere ? null : originalIsGone),
        partCount: row.kept_parts?.length ?? null,
        canUndo: row.kept_parts !== null && isThere,
        undoUntil:
          isLimited && row.cut_at !== null ? undoEnd(row.cut_at, trashDays).toISOString() : null,
        undoDays: isLimited ? trashDays : null,
      };
    },

    /**
     * Cuts a video, makes a draft of its parts, or only says what that would drop.
     * @throws AppError not_found, invalid, edit_conflict; conflict while the video is being
     * processed or if its original is gone.
     */
    async cut(
      idOrSlug: string,
      { parts, target, dryRun = false, version }: CutBody,
      { captions, actor }: { captions: CaptionCuts; actor: Actor },
    ): Promise<CutResult> {
      const row = await getVideoRow(db, idOrSlug);
      checkVersion(version, row.version, "this video");
      if (!(await hasOriginal(row))) throw new AppError("conflict", originalIsGone);
      const composed = composeParts(row, parts);
      const { dropped } = followCut(row, await listTimedComments(db, row.id), composed);
      const effect = {
        durationS: sumOf(composed),
        captionLines: await captions.countCutLines(row.id, composed),
        ...dropped,
        // A draft has no comments.
        ...(target === "draft" ? { comments: 0 } : {}),
      };
      if (dryRun) return { effect, videoId: null };
      if (target === "draft") {
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
      if (!(await hasOriginal(row))) {
        throw new AppError("conflict", "The original is deleted, so the cut can't be undone.");
      }
      await begin(row.id, { version, choose: () => null, action: "video.cut-undone", actor });
      return row.id;
    },
  };
}

export type CutsService = ReturnType<typeof createCutsService>;

/** Makes a draft of parts of a video. The source is copied, so each can be removed alone. */
async function saveDraft(
  { db, storage, newVideos, changed }: CutsDeps,
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
  const store = async () => ({
    source: await storage.withLocalFile(sourceKeyOf(row), (path) =>
      storage.putFile(sourceKey(id), path),
    ),
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
      source: { ...source, sha256: row.source_sha256 },
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
          // Whoever may not see the video may not see a part of it either.
          visibility: row.visibility,
          is_sensitive: row.is_sensitive,
          embedding: row.embedding,
          blocked_countries: row.blocked_countries,
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
