import type { DbOrTrx } from "../../db/connection.ts";
import type { Actor } from "../../lib/actor.ts";
import { newId } from "../../lib/ids.ts";

export interface AuditEntry {
  /** Verb in the past: `video.updated`. */
  action: string;
  entity: string;
  entityId: string | null;
  before?: unknown;
  after?: unknown;
}

/** Writes one line of the audit log, in the transaction of the action that it tells of. */
export async function recordAudit(db: DbOrTrx, actor: Actor, entry: AuditEntry): Promise<void> {
  await recordAudits(db, actor, [entry]);
}

/** The same for many, in one statement. */
export async function recordAudits(
  db: DbOrTrx,
  actor: Actor,
  entries: readonly AuditEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  await db
    .insertInto("audit_log")
    .values(
      entries.map((entry) => ({
        id: newId(),
        user_id: actor.user.id,
        user_email: actor.user.email,
        action: entry.action,
        entity: entry.entity,
        entity_id: entry.entityId,
        before: entry.before === undefined ? null : JSON.stringify(entry.before),
        after: entry.after === undefined ? null : JSON.stringify(entry.after),
        request_id: actor.requestId,
      })),
    )
    .execute();
}
