import { queryOptions } from "@tanstack/react-query";
import {
  bulkJob,
  bulkJobList,
  type BulkJob,
  type BulkRequest,
  type BulkTarget,
} from "#contract/videos/admin-videos.ts";
import { renewalPlan, type RenewalPlan } from "#contract/videos/renewals.ts";
import { adminCall } from "../../shared/admin-api.ts";

export const bulkListKey = ["admin", "bulk"] as const;

export const bulkListQuery = queryOptions({
  queryKey: bulkListKey,
  queryFn: () => adminCall("/api/admin/bulk", bulkJobList),
});

export function startBulk(request: BulkRequest): Promise<BulkJob> {
  return adminCall("/api/admin/bulk", bulkJob, { method: "POST", body: request });
}

export function planReprocess(target: BulkTarget): Promise<RenewalPlan> {
  return adminCall("/api/admin/bulk/reprocess/plan", renewalPlan, {
    method: "POST",
    body: { target },
  });
}

export function cancelBulk(id: string): Promise<BulkJob> {
  return adminCall(`/api/admin/bulk/${id}/cancel`, bulkJob, { method: "POST" });
}
