import type {
  Assignee,
  ReportDetails,
  ReportList,
  ReportPatch,
  ReportQuery,
  Report,
} from "#contract/visitors/reports.ts";
import { roles } from "#contract/accounts/auth.ts";
import { limits } from "#contract/limits.ts";
import { can } from "#contract/accounts/policy.ts";
import type { Actor } from "#server/lib/actor.ts";
import { AppError } from "#server/lib/app-error.ts";
import { newId } from "#server/lib/ids.ts";
import { recordAudit } from "#server/features/audit/audit.service.ts";
import {
  createReportActions,
  type ReportActionDeps,
  type ReportActions,
} from "./report-actions.service.ts";
import * as repository from "./reports.repository.ts";
import type { ShownReport } from "./reports.repository.ts";

/** Presents a report. Only users who handle reports see how to reach its sender. */
function presentReport(row: ShownReport, { canHandle }: { canHandle: boolean }): Report {
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
export interface ReportsService extends ReportActions {
  list(query: ReportQuery, reader: ReportReader): Promise<ReportList>;
  /** @throws AppError not_found, like the calls below. */
  get(id: string, reader: ReportReader): Promise<ReportDetails>;
  /** Returns users who may handle reports. */
  listAssignees(): Promise<Assignee[]>;
  change(id: string, patch: ReportPatch, actor: Actor): Promise<void>;
  addNote(id: string, text: string, actor: Actor): Promise<void>;
}

export function createReportsService(deps: ReportActionDeps): ReportsService {
  const { db, clock } = deps;
  const handlers = roles.filter((role) => can(role, "reports.handle"));

  return {
    ...createReportActions(deps),

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
      const row = await repository.getReport(db, id);
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
        const row = await repository.lockReport(trx, id);
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
        const { id: reportId } = await repository.lockReport(trx, id);
        const note = { id: newId(clock.now()), author: actor.user.email, text };
        await repository.insertNote(trx, { ...note, reportId, createdAt: clock.date() });
      });
    },
  };
}
