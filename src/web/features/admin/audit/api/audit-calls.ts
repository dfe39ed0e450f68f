import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { auditList, type AuditList } from "#contract/accounts/audit.ts";
import { queryString } from "#web/lib/api/http.ts";
import { adminCall } from "../../shared/admin-api.ts";

export interface AuditFilter {
  user: string;
  entity: string;
  topic: string;
  from: string;
  to: string;
}

export const auditQueryOf = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ["admin", "audit", filter],
    initialPageParam: "",
    queryFn: ({ pageParam }): Promise<AuditList> =>
      adminCall(`/api/admin/audit${queryString({ ...filter, cursor: pageParam })}`, auditList),
    getNextPageParam: (last) => last.nextCursor,
  });

/** Entries of the audit log about a video, latest first. */
export const videoHistoryQuery = (id: string) =>
  queryOptions({
    queryKey: ["admin", "video", id, "history"],
    queryFn: (): Promise<AuditList> =>
      adminCall(
        `/api/admin/audit${queryString({ entity: "video", entityId: id, limit: 20 })}`,
        auditList,
      ),
  });
