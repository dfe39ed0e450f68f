import type {
  ActionBody,
  Assignee,
  ReportDetails,
  ReportList,
  ReportOutcome,
  ReportPatch,
  ReportQuery,
} from "#contract/visitors/reports.ts";
import { roles } from "#contract/accounts/auth.ts";
import { limits } from "#contract/limits.ts";
import { can } from "#contract/accounts/policy.ts";
import { videoTag, type PublishChanges } from "#server/db/change-tags.ts";
import type { Db, Trx } from "#server/db/connection.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import type { Actor } from "#server/lib/actor.ts";
import { AppError } from "#server/lib/app-error.ts";
import { hashOf } from "#server/lib/hash-of.ts";
import type { Clock } from "#server/lib/clock.ts";
import { isUuid, newId } from "#server/lib/ids.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { Mailer } from "#server/lib/mailer.ts";
import type { Storage } from "#server/storage/storage.ts";
import { recordAudit, recordAudits } from "#server/features/audit/audit.service.ts";
import { unpublishVideos } from "#server/features/videos/publishing/publish-videos.ts";
import {
  findDroppedSource,
  findFingerprint,
  findSourceKey,
} from "#server/features/videos/files/video-source.ts";
import {
  deleteVideoFiles,
  removeVideos,
  type RemovedVideo,
} from "#server/features/videos/remove-videos.ts";
import { withVideoTags } from "#server/features/videos/video-tags.ts";
import { setCommentState } from "./comments/comments.repository.ts";
import { insertBlockedFile } from "./blocked-files.repository.ts";
import { presentReport } from "./reports.presenter.ts";
import * as repository from "./reports.repository.ts";

interface ReportReader {
  id: string;
  canHandle: boolean;
}

/** Moderation queue. */
export interface ReportsService {
  list(query: ReportQuery, reader: ReportReader): Promise<ReportList>;
  /** @throws AppError not_found, like the calls below. */
  get(id: string, reader: ReportReader): Promise<ReportDetails>;
  /** Returns users who may handle reports. */
  listAssignees(): Promise<Assignee[]>;
  change(id: string, patch: ReportPatch, actor: Actor): Promise<void>;
  addNote(id: string, text: string, actor: Actor): Promise<void>;
  /**
   * Resolves the report, and the video's other reports if the video changes.
   * @throws AppError conflict if it is already resolved or the video was deleted.
   */
  act(id: string, body: ActionBody, actor: Actor): Promise<void>;
}

const outcomes = {
  dismiss: "dismissed",
  unpublish: "unpublished",
  remove: "removed",
  block: "blocked",
} as const satisfies Record<ActionBody["action"], ReportOutcome>;

/** Maximum number of further references in one mail to the sender of several reports. */
const maxReferences = 19;

const notFound = () => new AppError("not_found", "Report not found.");

export function createReportsService(deps: {
  db: Db;
  clock: Clock;
  logger: Logger;
  storage: Storage;
  queue: Pick<JobQueue, "enqueue">;
  mailer: Pick<Mailer, "isConfigured">;
  changed: PublishChanges;
}): ReportsService {
  const { db, clock, storage, queue, mailer, changed } = deps;
  const handlers = roles.filter((role) => can(role, "reports.handle"));

  async function getRow(id: string): Promise<repository.ShownReport> {
    const row = isUuid(id) ? await repository.findReport(db, id) : null;
    if (row === null) throw notFound();
    return row;
  }

  async function lock(trx: Trx, id: string): Promise<repository.ReportRow> {
    const row = isUuid(id) ? await repository.lockReport(trx, id) : null;
    if (row === null) throw notFound();
    return row;
  }

  /** Hashes the source before anything of the video is deleted. */
  async function hashSource(videoId: string): Promise<{ sha256: Buffer; sizeBytes: number }> {
    const dropped = await findDroppedSource(db, videoId);
    if (dropped !== null) return dropped;
    const key = await findSourceKey(db, videoId);
    const source = await storage.openRead(key).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== "not_found") throw error;
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
    if (!mailer.isConfigured) return;
    // Sends one mail per recipient, even for several reports.
    const bySender = Map.groupBy(rows, ({ email }) => email?.toLowerCase() ?? null);
    for (const [email, [first, ...others]] of bySender) {
      if (email === null || first === undefined) continue;
      const otherIds = others.map(({ id }) => id).slice(0, maxReferences);
      const payload = { reportId: first.id, otherIds, askedAtMs: clock.now() };
      await queue.enqueue(trx, "moderation.tell-sender", payload, { key: first.id });
    }
  }

  /** Shows or removes a comment. A removed one can be shown again after its report is reopened. */
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
      if (!(await setCommentState(trx, commentId, state))) return;
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
    async list(query, reader) {
      const { limit = limits.adminPageSize, offset = 0 } = query;
      const page = { userId: reader.id, limit, offset };
      const [rows, counts] = await Promise.all([
        repository.listReports(db, query, page),
        repository.countReports(db, query, reader.id),
      ]);
      return { reports: rows.map((row) => presentReport(row, reader)), ...counts };
    },

    async get(id, reader) {
      const row = await getRow(id);
      const notes = await repository.listNotes(db, row.id);
      return {
        ...presentReport(row, reader),
        notes: notes.map((note) => ({ ...note, createdAt: note.createdAt.toISOString() })),
      };
    },

    listAssignees: () => repository.listUsersOfRoles(db, handlers),

    async change(id, { state, assigneeId }, actor) {
      if (typeof assigneeId === "string") {
        const users = await repository.listUsersOfRoles(db, handlers);
        if (!users.some((user) => user.id === assigneeId)) {
          throw new AppError("invalid", "This user doesn't have permission to handle reports.");
        }
      }
      await db.transaction().execute(async (trx) => {
        const row = await lock(trx, id);
        if (state === undefined && assigneeId === undefined) return;
        await repository.updateReports(trx, [row.id], {
          ...(state === undefined ? {} : { state, outcome: null, resolved_at: null }),
          ...(assigneeId === undefined ? {} : { assigned_to: assigneeId }),
        });
        await recordAudit(trx, actor, {
          action: "report.updated",
          entity: "report",
          entityId: row.id,
          before: { title: row.videoTitle, state: row.state, outcome: row.outcome },
          after: { state, assigneeId },
        });
      });
    },

    async addNote(id, text, actor) {
      await db.transaction().execute(async (trx) => {
        const { id: reportId } = await lock(trx, id);
        const note = { id: newId(clock.now()), author: actor.user.email, text };
        await repository.insertNote(trx, { ...note, reportId, createdAt: clock.date() });
      });
    },

    async act(id, { action, all = false }, actor) {
      const before = await getRow(id);
      const { videoId, commentId } = before;
      if (commentId !== null) return actOnComment({ ...before, commentId }, { action, all }, actor);
      const isGone = before.currentSlug === null;
      if (isGone && action !== "dismiss" && action !== "remove") {
        throw new AppError("conflict", "This video has already been removed.");
      }
      const source = action === "block" ? await hashSource(videoId) : null;
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
            const fingerprint = await findFingerprint(trx, videoId);
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
