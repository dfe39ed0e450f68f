import { queryOptions } from "@tanstack/react-query";
import {
  endedReportMail,
  reportMailList,
  reportMailResponse,
  type ReportMail,
  type ReportMailInput,
} from "#ads/contract/report-mails.ts";
import { call } from "#web/lib/api/http.ts";
import { adminCall, adminSend } from "#web/features/admin/shared/admin-api.ts";
import { campaignsKey } from "../api/campaign-calls.ts";

export const reportMailsQuery = queryOptions({
  queryKey: [...campaignsKey, "mails"],
  queryFn: () => adminCall("/api/report-mails", reportMailList),
});

export const addReportMail = (body: ReportMailInput): Promise<ReportMail> =>
  adminCall("/api/report-mails", reportMailResponse, { method: "POST", body });

export const removeReportMail = (id: string): Promise<void> =>
  adminSend(`/api/report-mails/${id}`, { method: "DELETE" });

/** Unsubscribes the recipient with this key. */
export const endReportMail = (key: string) =>
  call("/api/report-mails/end", endedReportMail, { method: "POST", body: { key } });
