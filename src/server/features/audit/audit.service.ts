import type { User } from "../../../contract/auth.ts";
import type { DbOrTrx } from "../../db/connection.ts";
import { newId } from "../../lib/ids.ts";

/** Who acts, and in which request: what the audit log needs to know about every admin call. */
export interface Actor {
  /** No id where nobody acts in person (a schedule whose planner is gone). */
  user: { id: User["id"] | null; email: string };
  requestId: string;
}

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
