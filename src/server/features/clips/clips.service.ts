import type { z } from "zod";
import { withoutTicket } from "#contract/accounts/page-token.ts";
import { clipLimits } from "#contract/videos/clip-limits.ts";
import type { ClipOptions, clipsBody, ClipSuggestion } from "#contract/videos/clips.ts";
import type { ListedVideo, Video } from "#contract/videos/videos.ts";
import { binCount, minCurvePlays } from "#contract/videos/watched-bins.ts";
import { videoTag, type PublishChanges } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import { AppError } from "#server/lib/app-error.ts";
import { readChapters } from "#server/lib/chapters.ts";
import { newId, newToken } from "#server/lib/ids.ts";
import type { Viewer } from "#server/http/access/policy.ts";
import { noteShown } from "#server/http/cache/shown-tags.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import { mediaUrl } from "#server/storage/media-keys.ts";
import type { Media } from "#server/media/media.ts";
import { recordAudit, type Actor } from "#server/features/audit/audit.service.ts";
import type { CaptionsService } from "#server/features/captions/captions.service.ts";
import type { LabelsService } from "#server/features/labels/labels.service.ts";
import type { BlockedFilesService } from "#server/features/moderation/blocked-files.service.ts";
import { insertWithFreeSlug } from "#server/features/videos/new-videos.service.ts";
import { enqueueProcessing } from "#server/features/videos/processing-state/enqueue-processing.ts";
import type { CreatePipeline } from "#server/features/videos/query/pipeline.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";
import * as repository from "./clips.repository.ts";

type Body = z.output<typeof clipsBody>;
type Clip = Body["clips"][number];

const asAdmin = { isAdmin: true };
/** A passage may end this much after the video, because durations are rounded. */
const roundingS = 0.05;
/** Length of a suggested passage around a peak of replays. */
const suggestedS = 30;

/** Clips: videos made from a passage of a longer one. */
export function createClipsService(deps: {
  db: Db;
  reads: Db;
  queue: JobQueue;
  media: Media;
  labels: LabelsService;
  videos: VideosService;
  captions: CaptionsService;
  blockedFiles: BlockedFilesService;
  createPipeline: CreatePipeline;
  changed: PublishChanges;
}) {
  const { db, reads, queue, media, labels, videos, captions, blockedFiles, changed } = deps;
  const listed = deps.createPipeline<{ id: string }, { ids: string[] }, object, Video[]>({
    skeleton: async ({ id }, viewer) => ({
      ids: await repository.listClipIds(viewer.isAdmin ? db : reads, id),
    }),
    present: (found) => found,
  });

  return {
    /** Returns the clips of a video that visitors can see, in the order of their passages. */
    async list(idOrSlug: string, viewer: Viewer): Promise<ListedVideo[]> {
      const id = await videos.getId(idOrSlug, viewer);
      noteShown(videoTag(id));
      return listed({ id }, viewer);
    },

    /**
     * Makes drafts from passages of a video and queues their encodes. Creates all or none.
     * @throws AppError not_found, invalid, conflict, unusable_video; edit_conflict if the video has
     * other files than `videoUrl`.
     */
    async create(
      idOrSlug: string,
      { clips: wanted, videoUrl }: Body,
      actor: Actor,
    ): Promise<Video[]> {
      const id = await videos.getId(idOrSlug, asAdmin);
      const tracks = await captions.list(id);
      const obstacle = wanted.some(({ captionId }) => captionId !== null)
        ? await media.findCaptionsObstacle()
        : null;
      if (obstacle !== null) throw new AppError("conflict", obstacle);
      const ids = await db.transaction().execute(async (trx) => {
        const long = await repository.lockLongVideo(trx, id);
        if (long === null) throw new AppError("not_found", "Video not found");
        if (long.clip_of !== null) {
          throw new AppError(
            "conflict",
            "This video is a clip. Make the clip from its long video.",
          );
        }
        if (long.status !== "ready") {
          throw new AppError("conflict", "This video isn't ready yet. Try again when it plays.");
        }
        if (videoUrl !== undefined && withoutTicket(videoUrl) !== mediaUrl(long.progressive_key)) {
          throw new AppError(
            "edit_conflict",
            "This video has new files. Reload it and check the times.",
          );
        }
        if (long.source_sha256 !== null) await blockedFiles.refuse(long.source_sha256, trx);
        const tagNames = await repository.listLabelNames(trx, "tags", id);
        const actorNames = await repository.listLabelNames(trx, "actors", id);
        const made: string[] = [];
        for (const [at, clip] of wanted.entries()) {
          const issue = findIssue(clip, long.duration_s, tracks.captions);
          if (issue !== null) {
            const path = `clips.${at}.${issue.path}`;
            const message =
              wanted.length === 1 ? issue.message : `Clip ${at + 1}: ${issue.message}`;
            throw new AppError("invalid", message, { issues: [{ path, message }] });
          }
          const clipId = newId();
          const { title, framing, captionId, thumbnailS } = clip;
          const endS = Math.min(clip.endS, long.duration_s);
          const startS = Math.max(0, Math.min(clip.startS, endS - clipLimits.minS));
          await insertWithFreeSlug(trx, title, {
            id: clipId,
            title,
            description: null,
            is_premium: false,
            duration_s: endS - startS,
            progress: 0,
            media_token: newToken(),
            embedding: long.embedding,
            uploaded_by: actor.user.id,
            clip_of: id,
            clip_start_s: startS,
            clip_end_s: endS,
            clip_plan: JSON.stringify({ framing, captionId, thumbnailS }),
          });
          await labels.replaceLabels(trx, "tags", clipId, tagNames);
          await labels.replaceLabels(trx, "actors", clipId, actorNames);
          await recordAudit(trx, actor, {
            action: "video.clip-made",
            entity: "video",
            entityId: clipId,
            after: { title, from: long.title, startS, endS, framing: framing.kind },
          });
          await enqueueProcessing(queue, trx, "video.clip", clipId, { estimateS: endS - startS });
          made.push(clipId);
        }
        return made;
      });
      await changed([id, ...ids].map(videoTag));
      return Promise.all(ids.map((clipId) => videos.get(clipId, asAdmin)));
    },

    /** Returns what the page that makes clips needs besides the video. @throws AppError not_found. */
    async getOptions(idOrSlug: string): Promise<ClipOptions> {
      const id = await videos.getId(idOrSlug, asAdmin);
      const [long, tracks, replays, clips, captionsObstacle] = await Promise.all([
        repository.getLongVideo(db, id),
        captions.list(id),
        repository.readReplays(db, id),
        repository.listClipRows(db, id),
        media.findCaptionsObstacle(),
      ]);
      const described = readChapters(long.description, long.duration_s);
      const chapters = described.length > 0 ? described : long.chapters;
      return {
        suggestions: [
          ...suggestReplays(replays, long.duration_s),
          ...suggestChapters(chapters, long.duration_s),
        ],
        captionsObstacle,
        captions: tracks.captions.map(({ id: trackId, name, language }) => ({
          id: trackId,
          name,
          language,
        })),
        clips,
      };
    },
  };
}

export type ClipsService = ReturnType<typeof createClipsService>;

function findIssue(
  { endS, captionId }: Clip,
  durationS: number,
  tracks: readonly { id: string }[],
): { path: string; message: string } | null {
  if (endS > durationS + roundingS || durationS < clipLimits.minS) {
    return { path: "endS", message: "The clip ends after the video" };
  }
  if (captionId !== null && !tracks.some(({ id }) => id === captionId)) {
    return { path: "captionId", message: "These captions no longer exist" };
  }
  return null;
}

/** Returns the passages that start at chapters, up to the next chapter or the longest clip. */
export function suggestChapters(
  chapters: readonly { startS: number; title: string }[],
  durationS: number,
): ClipSuggestion[] {
  return chapters.flatMap(({ startS, title }, at) => {
    const endS = Math.min(
      chapters[at + 1]?.startS ?? durationS,
      startS + clipLimits.maxS,
      durationS,
    );
    return endS - startS < clipLimits.minS
      ? []
      : [{ startS, endS, kind: "chapter" as const, title }];
  });
}

/** Minimum replays of a peak, as a multiple of the average. */
const peakFactor = 1.5;
/** Maximum number of suggested peaks. */
const maxPeaks = 3;

/**
 * Returns passages around the peaks of the replay curve, highest first.
 * @param replays replays of each part; null if the video has too few plays.
 */
export function suggestReplays(
  replays: { plays: number; replayed: readonly number[] } | null,
  durationS: number,
): ClipSuggestion[] {
  if (replays === null || replays.plays < minCurvePlays || durationS < clipLimits.minS) return [];
  const counts = replays.replayed.slice(0, binCount);
  const average = counts.reduce((sum, count) => sum + count, 0) / Math.max(counts.length, 1);
  if (average === 0) return [];
  const lengthS = Math.min(suggestedS, durationS);
  const found: ClipSuggestion[] = [];
  const order = counts.map((count, at) => ({ count, at })).toSorted((a, b) => b.count - a.count);
  for (const { count, at } of order) {
    if (count < average * peakFactor || found.length === maxPeaks) break;
    const middleS = ((at + 0.5) / counts.length) * durationS;
    const startS = Math.round(Math.max(0, Math.min(middleS - lengthS / 2, durationS - lengthS)));
    const endS = Math.min(durationS, startS + lengthS);
    // Parts next to each other belong to the same peak.
    if (found.some((each) => startS < each.endS && endS > each.startS)) continue;
    found.push({ startS, endS, kind: "replays", title: null });
  }
  return found;
}
