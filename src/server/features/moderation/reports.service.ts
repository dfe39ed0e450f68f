import { mkdir } from "node:fs/promises";
import type {
  Assignee,
  ReportDetails,
  ReportList,
  ReportPatch,
  ReportQuery,
  Report,
  ActionBody,
  ReportOutcome,
} from "#contract/visitors/reports.ts";
import { roles } from "#contract/accounts/auth.ts";
import { limits } from "#contract/limits.ts";
import { can } from "#contract/accounts/policy.ts";
import { AppError, isNotFound } from "#server/lib/app-error.ts";
import { newId, hashOf } from "#server/lib/ids.ts";
import { recordAudit, recordAudits, type Actor } from "#server/features/audit/audit.service.ts";
import { videoTag, type PublishChanges } from "#server/db/change-tags.ts";
import type { Db, Trx } from "#server/db/connection.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { Mailer } from "#server/lib/mailer.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { Media } from "#server/media/media.ts";
import {
  findFingerprint,
  findPictures,
  findSourceKey,
  findStoredHash,
} from "#server/features/videos/files/video-files.ts";
import { unpublishVideos } from "#server/features/videos/publishing/publish-videos.ts";
import {
  deleteVideoFiles,
  type RemovedVideo,
} from "#server/features/videos/files/stored-files.service.ts";
import { removeVideos } from "#server/features/videos/trash/remove-videos.ts";
import { withVideoTags } from "#server/features/videos/video-tags.ts";
import * as repository from "./reports.repository.ts";
import { insertBlockedFile } from "./blocked-files.repository.ts";
import { removeSender } from "./report-senders.repository.ts";
import { queueDecisionMails } from "./report-senders.service.ts";
import { setCommentState } from "./comments/comments.repository.ts";

const outcomes = {
  dismiss: "dismissed",
  unpublish: "unpublished",
  remove: "removed",
  block: "blocked",
} as const satisfies Record<ActionBody["action"], ReportOutcome>;

interface ReportActionDeps {
  db: Db;
  clock: Clock;
  logger: Logger;
  storage: Storage;
  media: Media;
  queue: JobQueue;
  mailer: Mailer;
  changed: PublishChanges;
}

/**
 * Returns the source's hash, and computes it for files that are older than the column. Runs before
 * anything belonging to the video is deleted.
 */
async function hashSource(
  { db, storage }: ReportActionDeps,
  videoId: string,
): Promise<{ sha256: Buffer; sizeBytes: number }> {
  const stored = await findStoredHash(db, videoId);
  if (stored !== null) return stored;
  const key = await findSourceKey(db, videoId);
  const source = await storage.openRead(key).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
    throw new AppError("conflict", "The original file no longer exists, so it can't be blocked.");
  });
  try {
    const { sizeBytes } = source.stat;
    const pieces = source.pieces({ start: 0, end: sizeBytes - 1 });
    return { sha256: await hashOf(pieces), sizeBytes };
  } finally {
    source.close();
  }
}

/**
 * Makes the fingerprint of a video that was blocked before its pictures were made, or whose pictures
 * were made before there were fingerprints.
 * @returns null if its file can't be read. The block then matches only the same bytes.
 */
async function makeFingerprint(
  { db, storage, media, logger }: ReportActionDeps,
  videoId: string,
): Promise<Buffer | null> {
  try {
    await using scratch = await storage.createScratch();
    const workDir = `${scratch.path}/work`;
    await mkdir(workDir);
    const { key, keptParts } = await findPictures(db, videoId);
    return await storage.withLocalFile(key, async (sourcePath) =>
      media.fingerprint({ sourcePath, facts: await media.probe(sourcePath), keptParts, workDir }),
    );
  } catch (error) {
    logger.warn({ err: error, videoId }, "blocked a video without a fingerprint");
    return null;
  }
}

/** Decisions about reports. */
function createReportActions(deps: ReportActionDeps) {
  const { db, clock, changed } = deps;

  /** Resolves reports with an audit entry each, and queues mails to their senders. */
  async function resolve(
    trx: Trx,
    rows: readonly repository.ReportRow[],
    { outcome, actor }: { outcome: ReportOutcome; actor: Actor },
  ): Promise<void> {
    const ids = rows.map((row) => row.id);
    const values = { state: "resolved" as const, outcome, resolved_at: clock.date() };
    await repository.updateReports(trx, ids, values);
    await recordAudits(
      trx,
      actor,
      rows.map((row) => ({
        action: "report.resolved",
        entity: "report",
        entityId: row.id,
        before: { title: row.videoTitle, state: row.state },
        after: { outcome },
      })),
    );
    await queueDecisionMails(trx, rows, deps);
  }

  /**
   * Shows or removes a comment. A removed comment can be shown again after its report is reopened.
   */
  async function actOnComment(
    before: repository.ShownReport & { commentId: string },
    { action, all }: Required<ActionBody>,
    actor: Actor,
  ): Promise<void> {
    const { id, videoId, commentId } = before;
    if (action !== "dismiss" && action !== "remove") {
      throw new AppError("invalid", "A comment can only be shown or removed.");
    }
    const state = action === "dismiss" ? "shown" : "removed";
    await db.transaction().execute(async (trx) => {
      const open = await repository.lockVideoReports(trx, videoId, { commentId });
      const own = open.filter((row) => row.id === id);
      if (own.length === 0)
        throw new AppError("conflict", "This report has already been resolved.");
      const hasAll = all || action === "remove";
      await resolve(trx, hasAll ? open : own, { outcome: outcomes[action], actor });
      if (!(await setCommentState(trx, { id: commentId, videoId }, state))) return;
      await recordAudit(trx, actor, {
        action: action === "dismiss" ? "comment.approved" : "comment.removed",
        entity: "comment",
        entityId: commentId,
        // Leaves out the text, because the visitor may want it deleted.
        after: { title: before.videoTitle },
      });
    });
    await changed([videoTag(videoId)]);
  }

  return {
    /**
     * Resolves the report, and the video's other reports if the video changes.
     * @throws AppError not_found; conflict if it is already resolved or the video was deleted.
     */
    async act(id: string, { action, all = false }: ActionBody, actor: Actor): Promise<void> {
      const before = await repository.getReport(db, id);
      const { videoId, commentId } = before;
      if (commentId !== null) return actOnComment({ ...before, commentId }, { action, all }, actor);
      const isGone = before.currentSlug === null;
      if (isGone && action !== "dismiss" && action !== "remove") {
        throw new AppError("conflict", "This video has already been removed.");
      }
      const source = action === "block" ? await hashSource(deps, videoId) : null;
      const hasFingerprint = source === null || (await findFingerprint(db, videoId)) !== null;
      const made = hasFingerprint ? null : await makeFingerprint(deps, videoId);
      const outcome = outcomes[action];
      const { result: removed, tags } = await db.transaction().execute((trx) =>
        withVideoTags(trx, [videoId], async (): Promise<RemovedVideo[]> => {
          // Removing a video also removes its comments.
          const isRemoved = action === "remove" || action === "block";
          const about = isRemoved ? "all" : { commentId: null };
          const open = await repository.lockVideoReports(trx, videoId, about);
          const own = open.filter((row) => row.id === id);
          if (own.length === 0) {
            throw new AppError("conflict", "This report has already been resolved.");
          }
          const hasAll = all || action !== "dismiss";
          await resolve(trx, hasAll ? open : own, { outcome, actor });
          if (action === "unpublish") await unpublishVideos(trx, [videoId], actor);
          if (action === "dismiss" || action === "unpublish") return [];
          if (source !== null) {
            const fingerprint = (await findFingerprint(trx, videoId)) ?? made;
            const about = { videoTitle: before.videoTitle, blockedBy: actor.user.email };
            await insertBlockedFile(trx, { ...source, ...about, fingerprint });
          }
          return removeVideos(trx, [videoId], actor, { isFinal: true });
        }),
      );
      await changed(tags);
      await deleteVideoFiles(deps, removed);
    },
  };
}

/** Presents a report. Only users who handle reports see how to reach its sender. */
function presentReport(row: repository.ShownReport, { canHandle }: { canHandle: boolean }): Report {
  const { assignedTo, assigneeEmail, assigneeName } = row;
  const { commentName, commentText, commentState } = row;
  const hasAssignee = assignedTo !== null && assigneeEmail !== null;
  return {
    id: row.id,
    kind: row.kind,
    reason: row.reason,
    text: row.text,
    email: canHandle ? row.email : null,
    notice: canHandle ? row.notice : null,
    state: row.state,
    outcome: row.outcome,
    assignee: hasAssignee
      ? { id: assignedTo, email: assigneeEmail, name: assigneeName ?? "" }
      : null,
    video: {
      id: row.videoId,
      slug: row.currentSlug ?? row.videoSlug,
      title: row.currentTitle ?? row.videoTitle,
      isRemoved: row.currentSlug === null,
      isPublished: row.isPublished === true,
    },
    comment:
      commentText === null || commentState === null
        ? null
        : { name: commentName, text: commentText, state: commentState },
    others: row.others,
    noteCount: row.noteCount,
    createdAt: row.createdAt.toISOString(),
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
  };
}

interface ReportReader {
  id: string;
  canHandle: boolean;
}

/** Moderation queue. */
export function createReportsService(deps: ReportActionDeps) {
  const { db, clock } = deps;
  const handlers = roles.filter((role) => can(role, "reports.handle"));

  return {
    ...createReportActions(deps),

    async list(query: ReportQuery, reader: ReportReader): Promise<ReportList> {
      const { limit = limits.adminPageSize, offset = 0 } = query;
      const page = { userId: reader.id, limit, offset };
      const [rows, counts] = await Promise.all([
        repository.listReports(db, query, page),
        repository.countReports(db, query, reader.id),
      ]);
      return { reports: rows.map((row) => presentReport(row, reader)), ...counts };
    },

    /** @throws AppError not_found, like the calls below. */
    async get(id: string, reader: ReportReader): Promise<ReportDetails> {
      const row = await repository.getReport(db, id);
      const notes = await repository.listNotes(db, row.id);
      return {
        ...presentReport(row, reader),
        notes: notes.map((note) => ({ ...note, createdAt: note.createdAt.toISOString() })),
      };
    },

    /** Returns users who may handle reports. */
    listAssignees: (): Promise<Assignee[]> => repository.listUsersOfRoles(db, handlers),

    async change(id: string, { state, assigneeId }: ReportPatch, actor: Actor): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const canHandle = (userId: string) => repository.lockUserOfRoles(trx, userId, handlers);
        // Locks the user before the report, like the change that unassigns a user's reports.
        if (typeof assigneeId === "string" && !(await canHandle(assigneeId))) {
          throw new AppError("invalid", "This user doesn't have permission to handle reports.");
        }
        const row = await repository.lockReport(trx, id);
        if (state === undefined && assigneeId === undefined) return;
        // Resolved reports keep assignees who may no longer handle reports.
        const isReopened = state !== undefined && row.state === "resolved";
        const former = isReopened && assigneeId === undefined ? row.assignedTo : null;
        const assigned = former !== null && !(await canHandle(former)) ? null : assigneeId;
        await repository.updateReports(trx, [row.id], {
          ...(state === undefined ? {} : { state, outcome: null, resolved_at: null }),
          ...(assigned === undefined ? {} : { assigned_to: assigned }),
        });
        await recordAudit(trx, actor, {
          action: "report.updated",
          entity: "report",
          entityId: row.id,
          before: { title: row.videoTitle, state: row.state, outcome: row.outcome },
          after: { state, assigneeId: assigned },
        });
      });
    },

    /** @throws AppError conflict unless it is resolved. */
    async remove(id: string, actor: Actor): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const row = await repository.lockReport(trx, id);
        if (row.state !== "resolved") {
          throw new AppError("conflict", "Resolve this report before you delete it.");
        }
        await repository.deleteReport(trx, row.id);
        if (row.email !== null) await removeSender(trx, row.email);
        await recordAudit(trx, actor, {
          action: "report.deleted",
          entity: "report",
          entityId: row.id,
          before: { title: row.videoTitle, outcome: row.outcome },
        });
      });
    },

    async addNote(id: string, text: string, actor: Actor): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const { id: reportId } = await repository.lockReport(trx, id);
        const note = { id: newId(clock.now()), author: actor.user.email, text };
        await repository.insertNote(trx, { ...note, reportId, createdAt: clock.date() });
      });
    },
  };
}

export type ReportsService = ReturnType<typeof createReportsService>;
