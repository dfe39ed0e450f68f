import type { Clock } from "../../../lib/clock.ts";

/**
 * Impressions of campaigns that this process may send without asking the database, from leases; and
 * campaigns that it need not ask for just now.
 */
export interface CampaignCredit {
  add(campaignId: string, impressions: number): void;
  /** Takes one, if there is one. */
  take(campaignId: string): boolean;
  /** The limits allow no impression for the moment. */
  refuse(campaignId: string): void;
  isRefused(campaignId: string): boolean;
}

/** A lease is used in this time, and what is sent then has 60 s to be shown. */
export const leaseUseMs = 10_000;
const refusedMs = 1000;

export function createCampaignCredit(clock: Clock): CampaignCredit {
  const leases = new Map<string, { left: number; untilMs: number }>();
  const refused = new Map<string, number>();
  return {
    add(id, impressions) {
      leases.set(id, { left: impressions, untilMs: clock.now() + leaseUseMs });
    },
    take(id) {
      const lease = leases.get(id);
      if (lease === undefined || lease.left <= 0 || clock.now() >= lease.untilMs) return false;
      lease.left -= 1;
      return true;
    },
    refuse(id) {
      refused.set(id, clock.now() + refusedMs);
    },
    isRefused: (id) => clock.now() < (refused.get(id) ?? 0),
  };
}
