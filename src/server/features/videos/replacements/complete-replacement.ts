import type { PublishChanges } from "#server/db/change-tags.ts";
import type { Db, Trx } from "#server/db/connection.ts";
import { settleCommit } from "#server/db/settle-commit.ts";
import type { StoredCaption } from "#server/db/stored-caption.ts";
import type { Actor } from "#server/lib/actor.ts";
import type { Clock } from "#server/lib/clock.ts";
import { isOwnThumbnail } from "#server/storage/media-keys.ts";
import { recordAudit } from "#server/features/audit/audit.service.ts";
import type { ProcessedVideo } from "../processing-state/processed-video.ts";
import { withVideoTags } from "../video-tags.ts";
import { lockVideoRow, type VideoRow } from "../videos.repository.ts";
import * as repository from "./replacements.repository.ts";

/** Writes a ladder's master playlist with a video's captions. */
type WriteMaster = (
  hlsKey: string,
) => Promise<{ hlsKey: string; captions: readonly StoredCaption[] }>;

/** Complete files that replace those of a video. */
export interface CompleteFiles {
  storedBytes: number;
  master: WriteMaster;
}

interface Deps {
  db: Db;
  clock: Clock;
  changed: PublishChanges;
}

/** Maximum number of attempts to switch while captions change. */
const maxAttempts = 5;

/** Switches a video to its complete new file. */
export async function completeReplacement(
  deps: Deps,
  next: ProcessedVideo,
  made: CompleteFiles,
): Promise<void> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    // Once the switch is committed, the jobs that follow must still be queued.
    const hasSwitched = await settleCommit(() => exchange(deps, next, made), {
      isCommitted: async () => (await repository.findSwitched(deps.db, next.id)) !== null,
    });
    if (hasSwitched !== false) return;
  }
  throw new Error(`The captions of ${next.videoId} keep changing`);
}

/** @returns false if the captions changed in the meantime. */
async function exchange(
  { db, clock, changed }: Deps,
  { id, videoId, files }: ProcessedVideo,
  made: CompleteFiles,
): Promise<boolean> {
  const written = files.hls_master === null ? null : await made.master(files.hls_master);
  const { result, tags } = await db.transaction().execute((trx) =>
    withVideoTags(trx, [videoId], async () => {
      const video = await lockVideoRow(trx, videoId);
      const next = await repository.findOpenReplacement(trx, videoId);
      // The video was removed, or the new file cancelled.
      if (video === null || next?.id !== id) return true;
      const isSame =
        written === null || JSON.stringify(written.captions) === JSON.stringify(video.captions);
      if (!isSame) return false;
      const { thumbnail_key: thumbnail, poster_key: poster } = video;
      await repository.exchangeFiles(
        trx,
        { video, next },
        {
          at: clock.date(),
          stored_bytes: made.storedBytes,
          ...(written === null ? {} : { hls_key: written.hlsKey }),
          // A picture that an admin has chosen stays.
          ...(isOwnThumbnail(thumbnail) ? { thumbnail_key: thumbnail } : {}),
          ...(isOwnThumbnail(poster) ? { poster_key: poster } : {}),
        },
      );
      // The log already contains the admin's request.
      if (!next.is_renewal) await recordExchange(trx, video, next);
      return true;
    }),
  );
  if (result) await changed(tags);
  return result;
}

async function recordExchange(
  trx: Trx,
  video: VideoRow,
  next: repository.ReplacementRow,
): Promise<void> {
  const actor: Actor = {
    user: { id: next.uploaded_by, email: next.uploaded_by_email },
    requestId: "replacement",
  };
  const about = (row: Pick<VideoRow, "duration_s" | "source_bytes">) => ({
    durationS: row.duration_s,
    sizeBytes: row.source_bytes,
  });
  await recordAudit(trx, actor, {
    action: "video.file-replaced",
    entity: "video",
    entityId: video.id,
    before: { title: video.title, ...about(video) },
    after: about(next),
  });
}
