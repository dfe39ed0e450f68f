import { labelKinds, type LabelKind } from "#contract/lists/labels.ts";
import type { ClipFate } from "#contract/videos/clips.ts";
import type { Translations } from "#contract/videos/translations.ts";
import type { Video, VideoUpdate } from "#contract/videos/videos.ts";
import { videoTag, type PublishChanges } from "#server/db/change-tags.ts";
import type { Db, Trx } from "#server/db/connection.ts";
import { moveSlug } from "#server/db/slug-redirects.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import { AppError, checkVersion } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { Storage } from "#server/storage/storage.ts";
import { recordAudit, type Actor } from "#server/features/audit/audit.service.ts";
import type { LabelsService } from "#server/features/labels/labels.service.ts";
import { enqueueProcessing, nextProcessingJob } from "./processing-state/enqueue-processing.ts";
import { hydrateVideos, type HydratedVideo } from "./query/video-list.repository.ts";
import { publishVideos, unpublishVideos } from "./publishing/publish-videos.ts";
import { deleteVideoFiles } from "./files/stored-files.service.ts";
import { removeVideos } from "./trash/remove-videos.ts";
import { presentVideo } from "./query/videos.presenter.ts";
import { cleanTranslations } from "./translations.ts";
import { withVideoTags } from "./video-tags.ts";
import {
  findOpenReplacement,
  isSlugTaken,
  lockExistingVideo,
  lockVideoRow,
  slugTaken,
  updateVideo,
} from "./videos.repository.ts";
import type { VideosService } from "./videos.service.ts";

const asAdmin = { isAdmin: true };
const notFound = () => new AppError("not_found", "Video not found");

/** Refuses to process the old file if a new one is about to replace it. */
async function refuseWhileReplaced(trx: Trx, id: string): Promise<void> {
  const open = await findOpenReplacement(trx, id);
  if (open === null || open.status === "failed") return;
  throw new AppError(
    "conflict",
    "A new file for this video is being processed. Try again when it's done.",
  );
}

/** Changes to one video by an admin. */
export function createVideoChangesService(deps: {
  db: Db;
  clock: Clock;
  logger: Logger;
  labels: LabelsService;
  storage: Storage;
  queue: JobQueue;
  videos: VideosService;
  changed: PublishChanges;
}) {
  const { db, clock, labels, queue, videos, changed } = deps;

  async function edit(trx: Trx, video: HydratedVideo, edits: Edits, actor: Actor): Promise<void> {
    if (Object.keys(edits).length === 0) return;
    const { row } = video;
    const { slug } = edits;
    if (slug !== undefined) {
      if (await isSlugTaken(trx, slug, row.id)) throw slugTaken(slug);
      await moveSlug(trx, "videos", { id: row.id, from: row.slug, to: slug });
    }
    await updateVideo(trx, row.id, {
      slug,
      title: edits.title,
      translations: edits.translations && JSON.stringify(edits.translations),
      description: edits.description,
      is_premium: edits.isPremium,
      visibility: edits.visibility,
      is_sensitive: edits.isSensitive,
      embedding: edits.embedding,
      midroll_times: edits.midrollTimes,
      blocked_countries: edits.blockedCountries,
      version: row.version + 1,
    });
    for (const kind of labelKinds) {
      const names = edits[kind];
      if (names !== undefined) await labels.replaceLabels(trx, kind, row.id, names);
    }
    await recordAudit(trx, actor, {
      action: "video.updated",
      entity: "video",
      entityId: row.id,
      before: {
        ...presentVideo(video, asAdmin),
        translations: cleanTranslations(row.translations),
      },
      after: edits,
    });
  }

  return {
    /** @throws AppError not_found; edit_conflict if `version` is not the current one. */
    async update(idOrSlug: string, change: VideoUpdate, actor: Actor): Promise<Video> {
      const id = await videos.getId(idOrSlug, asAdmin);
      const { tags } = await db.transaction().execute(async (trx) => {
        await lockVideoRow(trx, id);
        return withVideoTags(trx, [id], async () => {
          const [video] = await hydrateVideos(trx, [id]);
          if (video === undefined) throw notFound();
          checkVersion(change.version, video.row.version, "this video");
          await edit(trx, video, findEdits(video, change), actor);
          if (change.isPublished === true) {
            await publishVideos(trx, [id], { at: clock.date(), actor });
          } else if (change.isPublished === false && video.row.is_published) {
            // A draft keeps its schedule, because the form sends the state with every change.
            await unpublishVideos(trx, [id], actor);
          }
        });
      });
      await changed(tags);
      return videos.get(id, asAdmin);
    },

    /** Deletes the video and its files. @throws AppError not_found. */
    async remove(idOrSlug: string, actor: Actor, clips?: ClipFate): Promise<void> {
      const id = await videos.getId(idOrSlug, asAdmin);
      const { result: removed, tags } = await db
        .transaction()
        .execute((trx) =>
          withVideoTags(trx, [id], () => removeVideos(trx, [id], actor, { clips })),
        );
      if (removed.length === 0) throw notFound();
      await changed(tags);
      await deleteVideoFiles(deps, removed);
    },

    /** Processes a failed video again. @throws AppError not_found, conflict. */
    async retry(idOrSlug: string, actor: Actor): Promise<Video> {
      const id = await videos.getId(idOrSlug, asAdmin);
      await db.transaction().execute(async (trx) => {
        const row = await lockExistingVideo(trx, id);
        if (row.status !== "failed" && row.failure_reason === null) {
          throw new AppError("conflict", "This video hasn't failed, so there is nothing to retry.");
        }
        await refuseWhileReplaced(trx, id);
        // A playable video stays playable while the missing steps are retried.
        const status = row.progressive_key === null ? "processing" : "ready";
        await updateVideo(trx, id, {
          ...{ status, failure_reason: null, failures: 0, progress: 0 },
          skipped_files: [],
        });
        await enqueueProcessing(queue, trx, nextProcessingJob(status), id);
        await recordAudit(trx, actor, {
          action: "video.retried",
          entity: "video",
          entityId: id,
          before: { title: row.title },
        });
      });
      await changed([videoTag(id)]);
      return videos.get(id, asAdmin);
    },
  };
}

export type VideoChangesService = ReturnType<typeof createVideoChangesService>;

type Edits = Partial<
  Pick<
    VideoUpdate,
    | ("slug" | "title" | "visibility" | "isPremium" | "isSensitive" | "embedding")
    | ("blockedCountries" | "midrollTimes")
    | LabelKind
  >
> & {
  description?: string | null;
  translations?: Translations;
};

/** Returns the fields of a change that differ from the video, except publication. */
function findEdits({ row, labels }: HydratedVideo, change: VideoUpdate): Edits {
  const edits: Edits = {};
  if (change.title !== undefined && change.title !== row.title) edits.title = change.title;
  if (change.slug !== undefined && change.slug !== row.slug) edits.slug = change.slug;
  if (change.description !== undefined) {
    const description = change.description || null;
    if (description !== row.description) edits.description = description;
  }
  if (change.translations !== undefined) {
    const given = cleanTranslations(change.translations);
    const current = cleanTranslations(row.translations);
    if (JSON.stringify(given) !== JSON.stringify(current)) edits.translations = given;
  }
  if (change.isPremium !== undefined && change.isPremium !== row.is_premium) {
    edits.isPremium = change.isPremium;
  }
  if (change.visibility !== undefined && change.visibility !== row.visibility) {
    edits.visibility = change.visibility;
  }
  if (change.isSensitive !== undefined && change.isSensitive !== row.is_sensitive) {
    edits.isSensitive = change.isSensitive;
  }
  if (change.embedding !== undefined && change.embedding !== row.embedding) {
    edits.embedding = change.embedding;
  }
  const { blockedCountries, midrollTimes } = change;
  if (midrollTimes !== undefined && midrollTimes?.join() !== row.midroll_times?.join()) {
    edits.midrollTimes = midrollTimes;
  }
  if (blockedCountries?.join() !== row.blocked_countries.join()) {
    if (blockedCountries !== undefined) edits.blockedCountries = blockedCountries;
  }
  for (const kind of labelKinds) {
    const names = change[kind];
    const current = labels[kind].map(({ name }) => name);
    if (names !== undefined && JSON.stringify(names) !== JSON.stringify(current)) {
      edits[kind] = names;
    }
  }
  return edits;
}
