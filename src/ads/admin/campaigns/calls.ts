import { queryOptions } from "@tanstack/react-query";
import {
  adReport,
  advertiserList,
  advertiserResponse,
  campaignDetails,
  campaignResponse,
  shareKey,
  sharedReport,
  type Advertiser,
  type Campaign,
  type SharedReport,
} from "#ads/contract/campaigns.ts";
import type { AdvertiserInput, CampaignInput } from "#ads/contract/campaigns.input.ts";
import { call, queryString } from "#web/lib/api/http.ts";
import { campaignsKey } from "../ads/calls.ts";
import { adminCall, adminSend } from "#web/features/admin/shared/admin-api.ts";

export const listAdvertisers = async (): Promise<Advertiser[]> =>
  (await adminCall("/api/advertisers", advertiserList)).advertisers;

export const advertisersQuery = queryOptions({
  queryKey: [...campaignsKey, "advertisers"],
  queryFn: listAdvertisers,
});

const readCampaign = (id: string) =>
  adminCall(`/api/campaigns/${encodeURIComponent(id)}`, campaignDetails);

export const campaignQuery = (id: string) =>
  queryOptions({ queryKey: [...campaignsKey, id], queryFn: () => readCampaign(id) });

export const getCampaign = async (id: string): Promise<Campaign> =>
  (await readCampaign(id)).campaign;

export interface ReportFilters {
  days?: string;
  from?: string;
  to?: string;
  group: string;
  advertiser?: string;
  campaign?: string;
  placement?: string;
  origin?: string;
}

export const reportCsvPath = (filters: ReportFilters) =>
  `/api/ad-report.csv${queryString({ ...filters })}`;

export const reportQuery = (filters: ReportFilters) =>
  queryOptions({
    queryKey: [...campaignsKey, "report", filters],
    queryFn: () => adminCall(`/api/ad-report${queryString({ ...filters })}`, adReport),
    placeholderData: (before) => before,
  });

/** Reads the report of the advertiser that the key belongs to. */
export const readSharedReport = (key: string): Promise<SharedReport> =>
  call("/api/spots/shared-report", sharedReport, { method: "POST", body: { key } });

export function saveCampaign(id: string | null, body: CampaignInput): Promise<Campaign> {
  return id === null
    ? adminCall("/api/campaigns", campaignResponse, { method: "POST", body })
    : adminCall(`/api/campaigns/${id}`, campaignResponse, { method: "PUT", body });
}

export const deleteCampaign = (id: string): Promise<void> =>
  adminSend(`/api/campaigns/${id}`, { method: "DELETE" });

export function saveAdvertiser(id: string | null, body: AdvertiserInput): Promise<Advertiser> {
  return id === null
    ? adminCall("/api/advertisers", advertiserResponse, { method: "POST", body })
    : adminCall(`/api/advertisers/${id}`, advertiserResponse, { method: "PUT", body });
}

export const deleteAdvertiser = (id: string): Promise<void> =>
  adminSend(`/api/advertisers/${id}`, { method: "DELETE" });

/** @returns the key of a new secret link. */
export const shareFigures = async (id: string): Promise<string> =>
  (await adminCall(`/api/advertisers/${id}/share`, shareKey, { method: "POST" })).key;

export const endShare = (id: string): Promise<void> =>
  adminSend(`/api/advertisers/${id}/share`, { method: "DELETE" });
