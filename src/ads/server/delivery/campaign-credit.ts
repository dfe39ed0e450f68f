import type { Clock } from "#server/lib/clock.ts";

/**
 * Impressions of campaigns that this process may send without asking the database, from leases; and
 * campaigns that it need not ask for just now.
 */
export interface CampaignCredit {
  add(campaignId: string, impressions: number): void;
  /** Takes one, if there is one. */
  take(campaignId: string): boolean;
  /** Whether the lease should be renewed now, while it still has impressions. True once per lease. */
  isDue(campaignId: string): boolean;
  /** How many a next lease should have: twice what was used of the last one. */
  nextSize(campaignId: string): number;
  /** The limits allow no impression for the moment. */
  refuse(campaignId: string): void;
  isRefused(campaignId: string): boolean;
  /** How often one was refused so far. */
  refusals(): number;
}

interface Lease {
  size: number;
  left: number;
  untilMs: number;
  isRenewed: boolean;
}

/** A lease is used in this time, and what is sent then has 60 s to be shown. */
export const leaseUseMs = 10_000;
/** It is renewed with so much of its time, or of its impressions, left. */
const renewedPart = 0.3;
const refusedMs = 1000;
const minLease = 50;

export function createCampaignCredit(clock: Clock): CampaignCredit {
  const leases = new Map<string, Lease>();
  const refused = new Map<string, number>();
  let refusals = 0;
  return {
    add(id, impressions) {
      const untilMs = clock.now() + leaseUseMs;
      leases.set(id, { size: impressions, left: impressions, untilMs, isRenewed: false });
    },
    take(id) {
      const lease = leases.get(id);
      if (lease === undefined || lease.left <= 0 || clock.now() >= lease.untilMs) return false;
      lease.left -= 1;
      return true;
    },
    isDue(id) {
      const lease = leases.get(id);
      if (lease === undefined || lease.isRenewed) return false;
      const isLow = lease.left < lease.size * renewedPart;
      lease.isRenewed = isLow || clock.now() > lease.untilMs - leaseUseMs * renewedPart;
      return lease.isRenewed;
    },
    nextSize(id) {
      const lease = leases.get(id);
      return Math.max(minLease, lease === undefined ? 0 : 2 * (lease.size - lease.left));
    },
    refuse(id) {
      refused.set(id, clock.now() + refusedMs);
      refusals += 1;
    },
    isRefused: (id) => clock.now() < (refused.get(id) ?? 0),
    refusals: () => refusals,
  };
}
