import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import {
  assignees,
  blockedFiles,
  reportDetails,
  reportList,
  type ActionBody,
  type ReportDetails,
  type ReportPatch,
} from "#contract/visitors/reports.ts";
import { queryString } from "#web/lib/api/http.ts";
import { adminCall, adminSend } from "../shared/admin-api.ts";

export const reportsKey = ["admin", "reports"] as const;

export interface ReportFilter {
  state: string;
  kind: string;
  assigned: string;
}

/** Lists of reports, without the report that is open. */
export const reportListsKey = [...reportsKey, "list"] as const;

export const reportsQuery = (filter: ReportFilter, page: number, limit: number) =>
  queryOptions({
    queryKey: [...reportListsKey, filter, page, limit],
    queryFn: () => {
      const query = queryString({ ...filter, limit, offset: (page - 1) * limit });
      return adminCall(`/api/admin/reports${query}`, reportList);
    },
    placeholderData: keepPreviousData,
  });

export const reportQuery = (id: string) =>
  queryOptions({
    queryKey: [...reportsKey, id],
    queryFn: () => adminCall(`/api/admin/reports/${id}`, reportDetails),
  });

export const assigneesQuery = queryOptions({
  queryKey: [...reportsKey, "assignees"],
  queryFn: () => adminCall("/api/admin/reports/assignees", assignees),
});

export const changeReport = (id: string, body: ReportPatch): Promise<ReportDetails> =>
  adminCall(`/api/admin/reports/${id}`, reportDetails, { method: "PUT", body });

export const deleteReport = (id: string): Promise<void> =>
  adminSend(`/api/admin/reports/${id}`, { method: "DELETE" });

export const addNote = (id: string, text: string): Promise<ReportDetails> =>
  adminCall(`/api/admin/reports/${id}/notes`, reportDetails, { method: "POST", body: { text } });

export const actOnReport = (id: string, body: ActionBody): Promise<ReportDetails> =>
  adminCall(`/api/admin/reports/${id}/action`, reportDetails, { method: "POST", body });

export const blockedFilesQuery = queryOptions({
  queryKey: [...reportsKey, "blocked-files"],
  queryFn: () => adminCall("/api/admin/blocked-files", blockedFiles),
});

export const allowFile = (sha256: string): Promise<void> =>
  adminSend(`/api/admin/blocked-files/${sha256}`, { method: "DELETE" });
