import { z } from "zod";
import { queryInt, queryText } from "../lists/paging.ts";

/** Entry of the audit log. `before` and `after` contain the changed values. */
export const auditEntry = z.object({
  id: z.uuid(),
  at: z.iso.datetime(),
  userEmail: z.string(),
  /** Null if the account no longer exists. */
  userName: z.string().nullable(),
  action: z.string(),
  entity: z.string(),
  entityId: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
  requestId: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

/** Topics of audit log entries about accounts. */
export const auditTopics = ["sign-ins", "people"] as const;

const dayOrTime = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], {
    error: "must be a day such as 2026-03-31 or a time such as 2026-03-31T00:00:00Z",
  })
  .optional()
  .or(z.literal("").transform(() => undefined));

export const auditQuery = z.object({
  user: queryText(),
  action: queryText(),
  entity: queryText(),
  topic: z.enum(auditTopics).optional(),
  entityId: queryText(),
  /** Start: a UTC day or a time. */
  from: dayOrTime,
  /** End: a UTC day (inclusive) or a time (exclusive). */
  to: dayOrTime,
  limit: queryInt(1, 100),
  cursor: queryText(200),
});
export type AuditQuery = z.infer<typeof auditQuery>;

export const auditList = z.object({
  entries: z.array(auditEntry),
  nextCursor: z.string().nullable(),
});
export type AuditList = z.infer<typeof auditList>;
