import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { bulkJob, type BulkJob, type BulkRequest } from "../../../../../contract/admin-videos.ts";
import { adminCall } from "../../shared/admin-api.ts";

export const bulkListKey = ["admin", "bulk"] as const;

export const bulkListQuery = queryOptions({
  queryKey: bulkListKey,
  queryFn: () => adminCall("/api/admin/bulk", z.array(bulkJob)),
});

export function startBulk(request: BulkRequest): Promise<BulkJob> {
  return adminCall("/api/admin/bulk", bulkJob, { method: "POST", body: request });
}

export function cancelBulk(id: string): Promise<BulkJob> {
  return adminCall(`/api/admin/bulk/${id}/cancel`, bulkJob, { method: "POST" });
}
