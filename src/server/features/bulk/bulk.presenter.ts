import type { BulkJob } from "#contract/videos/admin-videos.ts";
import type { BulkRow } from "./bulk.repository.ts";

export function presentBulkJob(row: BulkRow): BulkJob {
  return {
    id: row.id,
    action: row.action,
    state: row.state,
    total: row.total,
    done: row.done,
    changed: row.changed,
    failureReason: row.failure_reason,
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by_email,
  };
}
