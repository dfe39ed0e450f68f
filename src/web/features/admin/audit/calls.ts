import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { auditList, type AuditList } from "#contract/accounts/audit.ts";
import { queryString } from "#web/lib/api/http.ts";
import { adminCall } from "../shared/admin-api.ts";

export interface AuditFilter {
  user: string;
  entity: string;
  topic: string;
  from: string;
  to: string;
}

/** Returns the start of a day in the browser's time zone, which the log also uses. */
function startOf(day: string, daysLater = 0): string {
  if (day === "") return "";
  const at = new Date(`${day}T00:00`);
  at.setDate(at.getDate() + daysLater);
  return at.toISOString();
}

export const auditQueryOf = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ["admin", "audit", filter],
    initialPageParam: "",
    queryFn: ({ pageParam }): Promise<AuditList> => {
      const range = { from: startOf(filter.from), to: startOf(filter.to, 1) };
      const query = queryString({ ...filter, ...range, cursor: pageParam });
      return adminCall(`/api/admin/audit${query}`, auditList);
    },
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
