import { queryOptions } from "@tanstack/react-query";
import {
  referral,
  referralList,
  referralStats,
  type Referral,
  type ReferralInput,
} from "#contract/visitors/referrals.ts";
import { adminCall, adminSend } from "../shared/admin-api.ts";

export const referralsKey = ["admin", "referrals"] as const;

export const referralsQuery = queryOptions({
  queryKey: referralsKey,
  queryFn: () => adminCall("/api/referrals", referralList),
});

export const referralStatsQuery = (id: string, days: number) =>
  queryOptions({
    queryKey: [...referralsKey, id, days],
    queryFn: () => adminCall(`/api/referrals/${id}/stats?days=${days}`, referralStats),
  });

export function saveReferral(id: string | null, input: ReferralInput): Promise<Referral> {
  return id === null
    ? adminCall("/api/referrals", referral, { method: "POST", body: input })
    : adminCall(`/api/referrals/${id}`, referral, { method: "PUT", body: input });
}

export function deleteReferral(id: string): Promise<void> {
  return adminSend(`/api/referrals/${id}`, { method: "DELETE" });
}

/** Returns the link to share. It opens the target page and contains the code. */
export function linkOf({ target, code }: Referral, origin: string): string {
  const url = new URL(target, origin);
  url.searchParams.set("ref", code);
  return url.href;
}
