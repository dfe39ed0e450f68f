import { reportTextMax, similarReason, type BlockedFile } from "#contract/visitors/reports.ts";
import { isSamePicture } from "#server/media/plan/fingerprint.ts";
import type { Db, DbOrTrx } from "#server/db/connection.ts";
import type { Clock } from "#server/lib/clock.ts";
import { AppError } from "#server/lib/app-error.ts";
import { newId } from "#server/lib/ids.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";
import { recordAudit, type Actor } from "#server/features/audit/audit.service.ts";
import * as repository from "./blocked-files.repository.ts";
import { insertReports, lockVideoReports } from "./reports.repository.ts";

/** Source files that moderators have blocked. */
export function createBlockedFilesService({
  db,
  clock,
  videos,
  onReport,
}: {
  db: Db;
  clock: Clock;
  videos: VideosService;
  /** Called after a report is stored. */
  onReport: () => void;
}) {
  return {
    async list(): Promise<BlockedFile[]> {
      const rows = await repository.listBlockedFiles(db);
      return rows.map((row) => ({
        ...row,
        sha256: row.sha256.toString("hex"),
        createdAt: row.createdAt.toISOString(),
      }));
    },

    /** Allows the file again. @throws AppError not_found. */
    async allow(sha256: string, actor: Actor): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const title = await repository.deleteBlockedFile(trx, Buffer.from(sha256, "hex"));
        if (title === null) throw new AppError("not_found", "This file isn't blocked.");
        await recordAudit(trx, actor, {
          action: "file.allowed",
          entity: "file",
          entityId: sha256,
          before: { title },
        });
      });
    },

    /**
     * @param reader a caller's transaction, which already holds a connection.
     * @throws AppError unusable_video if the file with this hash is blocked.
     */
    async refuse(sha256: Buffer, reader: DbOrTrx = db): Promise<void> {
      if (!(await repository.isBlocked(reader, sha256))) return;
      throw new AppError(
        "unusable_video",
        "A moderator removed this file from the site. It can't be uploaded again.",
      );
    },

    /** Reports a video to the moderators if its pictures match a blocked file. */
    async reportSimilar(videoId: string, fingerprint: Buffer): Promise<void> {
      const blocked = await repository.listFingerprints(db);
      const titles = blocked
        .filter((file) => isSamePicture(file.fingerprint, fingerprint))
        .map(({ videoTitle }) => videoTitle);
      if (titles.length === 0) return;
      const video = await videos.find(videoId);
      if (video === null) return;
      const isReported = await db.transaction().execute(async (trx) => {
        const open = await lockVideoReports(trx, videoId, { commentId: null });
        // Processing may run again, but it must not file a second report.
        if (open.some(({ reason }) => reason === similarReason)) return false;
        await insertReports(trx, [
          {
            id: newId(clock.now()),
            kind: "report",
            video_id: video.id,
            video_title: video.title,
            video_slug: video.slug,
            comment_id: null,
            reason: similarReason,
            text: [...new Set(titles)].join("\n").slice(0, reportTextMax),
            email: null,
            language: null,
            notice: null,
            address_key: null,
            outcome: null,
            assigned_to: null,
            created_at: clock.date(),
          },
        ]);
        return true;
      });
      if (isReported) onReport();
    },
  };
}

export type BlockedFilesService = ReturnType<typeof createBlockedFilesService>;
