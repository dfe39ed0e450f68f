import type { AuditList, AuditQuery } from "#contract/accounts/audit.ts";
import type { Db, DbOrTrx } from "#server/db/connection.ts";
import { AppError } from "#server/lib/app-error.ts";
import { isUuid, newId } from "#server/lib/ids.ts";
import * as repository from "./audit.repository.ts";

export interface AuditEntry {
  /** Object and past-tense verb: `video.updated`. */
  action: string;
  entity: string;
  entityId: string | null;
  before?: unknown;
  after?: unknown;
}

/** Adds an entry to the audit log, in the same transaction as the action. */
export async function recordAudit(db: DbOrTrx, actor: Actor, entry: AuditEntry): Promise<void> {
  await recordAudits(db, actor, [entry]);
}

/** Adds several entries in one statement. */
export async function recordAudits(
  db: DbOrTrx,
  actor: Actor,
  entries: readonly AuditEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  await repository.insertAuditRows(
    db,
    entries.map(({ action, entity, entityId, before, after }) => ({
      id: newId(),
      userId: actor.user.id,
      userEmail: actor.user.email,
      action,
      entity,
      entityId,
      before,
      after,
      requestId: actor.requestId,
    })),
  );
}

/** Returns the changes of one request, oldest first. */
export const listAuditOfRequest = (db: Db, requestId: string): Promise<repository.AuditRow[]> =>
  repository.listAuditRowsOfRequest(db, requestId);

const defaultLimit = 50;

/**
 * Returns a page of the audit log, newest first.
 * @throws AppError invalid for an invalid cursor.
 */
export async function listAudit(db: Db, query: AuditQuery): Promise<AuditList> {
  const { limit = defaultLimit, cursor, ...filter } = query;
  const after = cursor === undefined ? null : readCursor(cursor);
  const rows = await repository.listAuditRows(db, filter, { limit: limit + 1, after });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return {
    entries: page.map(({ atUs: _, ...row }) => ({ ...row, at: row.at.toISOString() })),
    nextCursor: hasMore ? `${last.atUs}_${last.id}` : null,
  };
}

function readCursor(cursor: string): Pick<repository.AuditRow, "atUs" | "id"> {
  const [atUs = "", id = ""] = cursor.split("_");
  if (!/^\d{1,18}$/.test(atUs) || !isUuid(id)) {
    throw new AppError("invalid", "The cursor isn't valid for this list.", {
      issues: [{ path: "cursor", message: "isn't valid for this list" }],
    });
  }
  return { atUs, id };
}

/** Actor and request of an admin call, as recorded in the audit log. */
export interface Actor {
  /**
   * The id is null if no user acts directly, for example in a schedule whose author was deleted.
   */
  user: { id: string | null; email: string };
  requestId: string;
}
